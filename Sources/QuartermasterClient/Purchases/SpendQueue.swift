public import Foundation

/// The spends whose answer is not known, on disk: whatever happens, each is carried out once.
actor SpendQueue {
    /// The maximum number of spends that wait at once.
    static let maximum = 100
    /// The waits between the attempts of one call.
    static let waits = [Duration.milliseconds(250), .seconds(1)]

    private let session: AccountSession
    private let source: any PurchaseSource
    private let bundleID: String
    private let clock: ClientClock
    private let file: StoredFile<[PendingSpend]>
    private(set) var spends: [PendingSpend]

    init(session: AccountSession, source: any PurchaseSource, configuration: Quartermaster.Configuration) {
        self.session = session
        self.source = source
        bundleID = configuration.bundleID
        clock = configuration.clock
        file = StoredFile(configuration.folder.appendingPathComponent("spends.json"))
        spends = file.load() ?? []
    }

    /// Spends, and waits for the answer.
    ///
    /// - Returns: the balance after it.
    /// - Throws: ``Problem`` if nothing was spent; ``ConnectionError/notConnected`` if nothing was sent;
    ///   ``SpendPending`` if the answer was lost.
    func spend(_ amount: Int, of currency: String, key: UUID) async throws -> Int {
        guard spends.count < Self.maximum || spends.contains(where: { $0.key == key }) else {
            throw SpendPending(key: key)
        }
        let environment = await source.environment()
        let isNew = !spends.contains { $0.key == key }
        if isNew {
            spends.append(
                PendingSpend(key: key, amount: amount, currency: currency, environment: environment, isSettled: false))
            try store(orUndo: key)
        }
        guard let spend = spends.first(where: { $0.key == key }) else { throw SpendPending(key: key) }
        let balance = try await sendUntilAnswered(spend, mayForget: isNew)
        acknowledge(key)
        return balance
    }

    /// Sends the waiting spends. Those that the server carried out stay in ``spends`` until they are acknowledged.
    ///
    /// - Returns: whether anything was carried out.
    func sendWaiting() async -> Bool {
        var isAnySettled = false
        for spend in spends where !spend.isSettled {
            guard (try? await attempt(spend)) != nil else { continue }
            guard let index = spends.firstIndex(where: { $0.key == spend.key }) else { continue }
            spends[index].isSettled = true
            isAnySettled = true
            save()
        }
        return isAnySettled
    }

    /// Removes every spend: they belong to an account that is no longer this device's.
    func removeAll() {
        spends = []
        save()
    }

    /// Removes a spend that the app has honoured. The second time nothing happens.
    func acknowledge(_ key: UUID) {
        guard spends.contains(where: { $0.key == key }) else { return }
        spends.removeAll { $0.key == key }
        save()
    }

    /// - Parameter mayForget: whether no request with this key was sent before: a spend that could not be sent is then
    ///   dropped.
    private func sendUntilAnswered(_ spend: PendingSpend, mayForget: Bool) async throws -> Int {
        var waits = Self.waits[...]
        var isUnsent = mayForget
        while true {
            do {
                return try await attempt(spend)
            } catch ConnectionError.notConnected where isUnsent {
                acknowledge(spend.key)
                throw ConnectionError.notConnected
            } catch let error where error.leavesSpendOpen {
                isUnsent = isUnsent && (error as? ConnectionError) == .notConnected
                guard let wait = waits.popFirst() else { throw SpendPending(key: spend.key) }
                guard (try? await clock.sleep(wait)) != nil else { throw SpendPending(key: spend.key) }
            }
        }
    }

    /// Asks the server once. A refusal ends the spend.
    private func attempt(_ spend: PendingSpend) async throws -> Int {
        do {
            _ = try await session.open()
            var request = try APIRequest(.post, "v1", "balances", spend.currency, "spend").json(
                SpendRequest(amount: spend.amount, bundleID: bundleID, environment: spend.environment))
            request.headers["Idempotency-Key"] = spend.key.uuidString
            return try JSONDecoder().decode(SpendAnswer.self, from: try await session.send(request).body).balance
        } catch let problem as Problem where !problem.leavesSpendOpen {
            acknowledge(spend.key)
            throw problem
        }
    }

    private func store(orUndo key: UUID) throws {
        do {
            try file.save(spends)
        } catch {
            spends.removeAll { $0.key == key }
            throw error
        }
    }

    private func save() {
        // At worst an acknowledged spend is sent again: with its key it spends nothing more.
        try? file.save(spends)
    }
}

extension Error {
    /// Whether the server may have carried out the spend, or will if it is asked again.
    fileprivate var leavesSpendOpen: Bool {
        switch self {
        case let problem as Problem: problem.status == 429 || problem.status >= 500
        default: true
        }
    }
}

/// The answer to `POST /v1/balances/{currency}/spend`.
struct SpendAnswer: Sendable, Decodable {
    /// The balance after the spend.
    var balance: Int
}

/// The body of `POST /v1/balances/{currency}/spend`.
struct SpendRequest: Sendable, Encodable {
    var amount: Int
    var bundleID: String
    var environment: StoreEnvironment?
}

/// A spend whose answer the app has not seen yet.
public struct PendingSpend: Sendable, Codable, Equatable, Identifiable {
    /// The key by which the server knows it: the same key never spends twice.
    public var key: UUID
    /// The amount.
    public var amount: Int
    /// The kind of credits.
    public var currency: String
    /// The environment that the store had when it began.
    public var environment: StoreEnvironment?
    /// Whether the server has carried it out. The app then gives the player what was paid for, and acknowledges it.
    public var isSettled: Bool

    public var id: UUID { key }
}

/// The answer to a spend was lost. It is carried out once, now or later, and is then in ``ShopState/spends``.
public struct SpendPending: Error, Sendable {
    /// The key of the spend in ``ShopState/spends``.
    public var key: UUID
}
