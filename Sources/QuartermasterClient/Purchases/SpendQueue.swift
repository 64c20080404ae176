public import Foundation

/// The spends whose answer is not known, on disk: whatever happens, each is carried out once.
actor SpendQueue {
    /// The maximum number of spends that wait at once.
    static let maximum = 100
    /// The waits between the attempts of one call.
    static let waits = [Duration.milliseconds(250), .seconds(1)]

    private let session: AccountSession
    private let environment: KnownEnvironment
    private let bundleID: String
    private let clock: ClientClock
    private let file: StoredFile<[PendingSpend]>
    /// The spends as they are on disk, or `nil` until they were read.
    private var stored: [PendingSpend]?

    init(session: AccountSession, environment: KnownEnvironment, configuration: Quartermaster.Configuration) {
        self.session = session
        self.environment = environment
        bundleID = configuration.bundleID
        clock = configuration.clock
        file = StoredFile(configuration.folder.appendingPathComponent("spends.json"))
    }

    /// The spends that are known. While the file cannot be read, none is.
    var spends: [PendingSpend] { (try? read()) ?? [] }

    /// Has the next call read the file anew: another process may have changed it.
    func readAgain() { stored = nil }

    /// Reads the file, if it was not read yet: nothing is written before that, so that no spend is lost.
    private func read() throws -> [PendingSpend] {
        if let stored { return stored }
        let read = try file.load() ?? []
        stored = read
        return read
    }

    /// Spends, and waits for the answer.
    ///
    /// - Returns: the balance after it.
    /// - Throws: ``ServerProblem`` if nothing was spent; ``ConnectionError/notConnected`` if nothing was sent;
    ///   ``SpendPending`` if the answer was lost; what the file system throws if the file cannot be read or written,
    ///   and nothing was sent then.
    func spend(_ amount: Int, of currency: String, key: UUID) async throws -> Int {
        let known = try read()
        let isNew = !known.contains { $0.key == key }
        guard known.count < Self.maximum || !isNew else { throw SpendPending(key: key) }
        if isNew {
            try store(known + [PendingSpend(key: key, amount: amount, currency: currency)])
        }
        let balance = try await sendUntilAnswered(key, mayForget: isNew)
        acknowledge(key)
        return balance
    }

    /// Sends the waiting spends. Those that the server carried out stay in ``spends`` until they are acknowledged.
    ///
    /// - Returns: whether anything was carried out.
    func sendWaiting() async -> Bool {
        var isAnySettled = false
        for spend in spends where !spend.isSettled {
            guard (try? await attempt(spend.key)) != nil else { continue }
            change(spend.key) { $0.isSettled = true }
            isAnySettled = true
        }
        return isAnySettled
    }

    /// Removes every spend: they belong to an account that is no longer this device's.
    func removeAll() {
        stored = []
        try? file.save([])
    }

    /// Removes a spend that the app has honoured. The second time nothing happens.
    func acknowledge(_ key: UUID) {
        guard spends.contains(where: { $0.key == key }) else { return }
        let rest = spends.filter { $0.key != key }
        stored = rest
        // At worst an acknowledged spend is sent again: with its key it spends nothing more.
        try? file.save(rest)
    }

    private func change(_ key: UUID, _ body: (inout PendingSpend) -> Void) {
        guard var changed = stored, let index = changed.firstIndex(where: { $0.key == key }) else { return }
        body(&changed[index])
        stored = changed
        try? file.save(changed)
    }

    /// - Parameter mayForget: whether no request with this key was sent before: a spend that could not be sent is then
    ///   dropped.
    private func sendUntilAnswered(_ key: UUID, mayForget: Bool) async throws -> Int {
        var waits = Self.waits[...]
        var isUnsent = mayForget
        while true {
            do {
                return try await attempt(key)
            } catch let error as ConnectionError where error.isUnsent && isUnsent {
                acknowledge(key)
                throw error
            } catch let error where error.leavesSpendOpen {
                isUnsent = isUnsent && (error as? ConnectionError)?.isUnsent == true
                guard let wait = waits.popFirst() else { throw SpendPending(key: key) }
                guard (try? await clock.sleep(wait)) != nil else { throw SpendPending(key: key) }
            }
        }
    }

    /// Asks the server once. A refusal ends the spend.
    private func attempt(_ key: UUID) async throws -> Int {
        let environment = await environment.value()
        change(key) { spend in
            // The same in each request with the key: they state one spend.
            if spend.isNew == true { (spend.environment, spend.isNew) = (environment, nil) }
        }
        guard let spend = spends.first(where: { $0.key == key }) else { throw SpendPending(key: key) }
        do {
            _ = try await session.open()
            var request = try APIRequest(.post, "v1", "balances", spend.currency, "spend").json(
                SpendRequest(amount: spend.amount, bundleID: bundleID, environment: spend.environment))
            request.headers["Idempotency-Key"] = spend.key.uuidString
            return try JSONDecoder().decode(SpendAnswer.self, from: try await session.send(request).body).balance
        } catch let problem as ServerProblem where !problem.leavesSpendOpen {
            acknowledge(key)
            throw problem
        }
    }

    /// Writes the spends to disk; if that fails, they stay as they were.
    private func store(_ spends: [PendingSpend]) throws {
        try file.save(spends)
        stored = spends
    }
}

extension Error {
    /// Whether the server may have carried out the spend, or will if it is asked again.
    fileprivate var leavesSpendOpen: Bool {
        switch self {
        case let problem as ServerProblem: problem.status == 429 || problem.status >= 500
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
    public var isSettled = false
    /// Whether no request was made for it, so that the environment is not known yet.
    var isNew: Bool?

    public var id: UUID { key }

    /// A spend of which nothing is known yet.
    public init(key: UUID, amount: Int, currency: String) {
        self.key = key
        self.amount = amount
        self.currency = currency
        isNew = true
    }
}

/// The answer to a spend was lost. It is carried out once, now or later, and is then in ``ShopState/spends``.
public struct SpendPending: Error, Sendable {
    /// The key of the spend in ``ShopState/spends``.
    public var key: UUID

    public init(key: UUID) { self.key = key }
}
