import Foundation

/// Brings every transaction of the store to the server, and carries out what the server says about it.
///
/// A transaction is on disk before it is sent, is sent by one request at a time however many ask for it, and is
/// finished when the server says so, never before.
actor ReceiptEngine {
    private let session: AccountSession
    private let source: any PurchaseSource
    private let bundleID: String
    private let appVersion: String
    private let clock: ClientClock
    private let file: StoredFile<[QueuedReceipt]>
    private let limit: Int
    private var queue: [String: QueuedReceipt] = [:]
    /// Whether the queue was read from disk. Nothing is written before: what is there may be the only copy of a step.
    private var isRead = false
    /// Transactions for which there was no room on disk, at most ``limit``. The store keeps them, and hands over any
    /// others at the next start.
    private var unqueued: [String: SignedTransaction] = [:]
    private var inFlight: [String: Task<ReceiptOutcome, Never>] = [:]
    /// The server's answers, with the products that they are about, for the shop that shows them.
    nonisolated let outcomes: AsyncStream<(product: String, outcome: ReceiptOutcome)>
    private let outcomeWriter: AsyncStream<(product: String, outcome: ReceiptOutcome)>.Continuation
    /// Whether something became due since ``run()`` looked at the queue.
    private var hasChanged = false
    /// Ends the wait of ``run()``.
    private var pause: AsyncStream<Void>.Continuation?

    /// - Parameter limit: the transactions that are on disk at once.
    init(
        session: AccountSession, source: any PurchaseSource, configuration: Quartermaster.Configuration,
        limit: Int = ReceiptLimits.queue
    ) {
        self.session = session
        self.source = source
        self.limit = limit
        bundleID = configuration.bundleID
        appVersion = configuration.appVersion ?? ""
        clock = configuration.clock
        file = StoredFile(configuration.folder.appendingPathComponent("receipts.json"))
        (outcomes, outcomeWriter) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(ReceiptLimits.outcomes))
    }

    /// Reads the queue from disk, unless that was done. If it cannot be read now, transactions wait in memory.
    private func read() {
        guard !isRead, let receipts = try? file.load() ?? [] else { return }
        isRead = true
        for receipt in receipts { queue[receipt.id] = receipt.atStart(of: appVersion, at: clock.now()) }
        fill()
    }

    /// Reads the queue from disk anew: another process may have changed it.
    func readAgain() {
        (queue, isRead) = ([:], false)
        wake()
    }

    /// The transactions that are paid and not yet delivered.
    var waiting: [SignedTransaction] {
        read()
        return (queue.values.filter(\.isUnderway).map(\.transaction) + unqueued.values).sorted { $0.id < $1.id }
    }

    /// Whether a transaction is on disk: it is not finished.
    func isQueued(_ id: String) -> Bool {
        read()
        return queue[id] != nil
    }

    /// Takes a transaction and sends it. If it is on its way already, the two are one.
    ///
    /// - Returns: what the server said, or ``PurchaseResult/waiting(provisionalUntil:)`` if it could not be asked, or
    ///   if there is no room on disk now.
    func submit(_ transaction: SignedTransaction) async -> ReceiptOutcome {
        insert(transaction, isAsked: true)
        return await attempt(transaction.id)
    }

    /// Takes a transaction that the store hands over by itself; ``run()`` sends it. The second time nothing happens,
    /// even if the store signed it again: one that was denied is not sent twice between two starts.
    func enqueue(_ transaction: SignedTransaction) { insert(transaction, isAsked: false) }

    /// - Parameter isAsked: whether the player waits for the answer; what was denied is then sent again.
    private func insert(_ transaction: SignedTransaction, isAsked: Bool) {
        read()
        if let present = queue[transaction.id] {
            if case .tooLarge = present.step { return }
            guard isAsked && present.isDenied || !present.transaction.statesTheSame(as: transaction) else { return }
        }
        guard queue[transaction.id] != nil || makeRoom() else {
            if unqueued.count < limit { unqueued[transaction.id] = transaction }
            return
        }
        unqueued[transaction.id] = nil
        queue[transaction.id] = QueuedReceipt(transaction)
        save()
        wake()
    }

    /// Whether there is room on disk. A denied receipt gives way: the store hands it over at the next start, too.
    private func makeRoom() -> Bool {
        guard isRead else { return false }
        if queue.count >= limit, let denied = queue.values.first(where: \.isDenied) { queue[denied.id] = nil }
        return queue.count < limit
    }

    /// Makes everything due: the app came to the foreground, the network is back, or somebody signed in.
    func retryNow() {
        read()
        for id in queue.keys {
            queue[id]?.dueAfter = .zero
            queue[id]?.backoff.reset()
        }
        wake()
    }

    /// Sends what is due, until the task is cancelled.
    func run() async {
        while !Task.isCancelled {
            hasChanged = false
            read()
            let now = clock.uptime()
            for id in queue.values.filter({ $0.isDue(at: now) }).map(\.id).sorted() {
                if Task.isCancelled { return }
                _ = await attempt(id)
            }
            await waitForNext()
        }
    }

    private func wake() {
        hasChanged = true
        pause?.finish()
    }

    /// Waits until a receipt is due or something changed.
    private func waitForNext() async {
        guard !hasChanged else { return }
        let due = queue.values.filter(\.isUnderway).compactMap(\.dueAfter)
        let next = isRead ? due.min() : clock.uptime() + ReceiptLimits.readAgainAfter
        // For this wait alone: a stream ends when its reader is cancelled, and would not wait a second time.
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        pause = continuation
        await withTaskGroup(of: Void.self) { group in
            let clock = clock
            group.addTask { for await _ in stream {} }
            if let next {
                let wait = max(next - clock.uptime(), .milliseconds(1))
                group.addTask { try? await clock.sleep(wait) }
            }
            await group.next()
            group.cancelAll()
        }
        pause = nil
    }

    private func attempt(_ id: String) async -> ReceiptOutcome {
        if let running = inFlight[id] { return await running.value }
        // There was no room for it.
        guard let receipt = queue[id] else { return .later }
        if case .tooLarge = receipt.step { return .tooLarge }
        let task = Task { await self.perform(receipt) }
        inFlight[id] = task
        let outcome = await task.value
        inFlight[id] = nil
        return outcome
    }

    private func perform(_ receipt: QueuedReceipt) async -> ReceiptOutcome {
        if receipt.step == .finish {
            await finish([receipt.id])
            return ReceiptOutcome(result: .alreadyDelivered, next: .done)
        }
        let outcome = await ask(receipt)
        carryOut(outcome, for: receipt)
        await finish(outcome.finished)
        outcomeWriter.yield((receipt.transaction.productID, outcome))
        return outcome
    }

    private func ask(_ receipt: QueuedReceipt) async -> ReceiptOutcome {
        do {
            guard try await session.mayOpen(for: [receipt.transaction]) else { return .afterAccount }
            _ = try await session.open()
            let response = try await session.send(request(for: receipt))
            let answer = try JSONDecoder().decode(ReceiptAnswer.self, from: response.body)
            return ReceiptOutcome(answer, for: receipt.id, retryAfter: response.retryAfter)
        } catch let problem as ServerProblem {
            // A receipt of which the server knows nothing any more is sent again.
            if case .look = receipt.step, problem.status == 404 { return .later }
            return ReceiptOutcome(problem)
        } catch is SignedOut {
            return .afterSignIn
        } catch {
            return .later
        }
    }

    private func request(for receipt: QueuedReceipt) throws -> APIRequest {
        if case .look(let id) = receipt.step { return APIRequest(.get, "v1", "receipts", id) }
        return try APIRequest(.post, "v1", "receipts").json(
            ReceiptRequest(receipt: receipt.transaction.jws, bundleID: bundleID, mayTransfer: false))
    }

    /// Writes the next step to disk before anything is done about it.
    private func carryOut(_ outcome: ReceiptOutcome, for receipt: QueuedReceipt) {
        var next = queue[receipt.id] ?? receipt
        guard next.transaction == receipt.transaction else { return }
        switch outcome.next {
        case .done: next.step = outcome.finished.contains(receipt.id) ? .finish : .keep
        case .keep: next.step = .keep
        case .refused: next.step = .refused(at: clock.now())
        case .tooLarge: next.step = .tooLarge(appVersion: appVersion)
        case .look(let id, let after):
            if next.step != .look(receipt: id) {
                next.backoff = Backoff(base: ReceiptLimits.lookAfter, maximum: ReceiptLimits.maximumLookWait)
            }
            next.step = .look(receipt: id)
            next.dueAfter = clock.uptime() + next.backoff.next(fraction: 1, retryAfter: after)
        case .retry(let after):
            if case .look = next.step { next.step = .send }
            next.dueAfter = clock.uptime() + next.backoff.next(fraction: clock.fraction(), retryAfter: after)
        case .waitForSignIn: next.dueAfter = nil
        case .waitForAccount: next.dueAfter = clock.uptime() + ReceiptLimits.lookForAccountAfter
        }
        queue[receipt.id] = next
        save()
    }

    /// Finishes transactions with the store. One that the store cannot finish now is finished later.
    private func finish(_ ids: [String]) async {
        for id in ids {
            do {
                try await source.finish(id)
                queue[id] = nil
            } catch {
                guard var receipt = queue[id] else { continue }
                receipt.step = .finish
                receipt.dueAfter = clock.uptime() + receipt.backoff.next(fraction: clock.fraction())
                queue[id] = receipt
            }
        }
        if !ids.isEmpty { save() }
        fill()
    }

    /// Takes transactions for which there is room by now.
    private func fill() {
        while queue.count < limit, let (_, transaction) = unqueued.popFirst() { enqueue(transaction) }
    }

    /// Finishes what a restore sent and the server has taken.
    func finishRestored(_ ids: [String]) async { await finish(ids) }

    private func save() {
        guard isRead else { return }
        // If the disk is full the store still has the transaction, and brings it again at the next start.
        try? file.save(queue.values.sorted { $0.id < $1.id })
    }
}

extension QueuedReceipt {
    /// Whether the engine works on it without a newer version of the app.
    var isUnderway: Bool {
        switch step {
        case .send, .look, .finish: true
        case .keep, .refused, .tooLarge: false
        }
    }

    /// Whether the server gave nothing for it, and the store hands it over again.
    fileprivate var isDenied: Bool {
        switch step {
        case .keep, .refused: true
        case .send, .look, .finish, .tooLarge: false
        }
    }

    fileprivate func isDue(at now: Duration) -> Bool { isUnderway && dueAfter.map { $0 <= now } ?? false }

    /// The receipt as it is read when the app starts: a denied one is sent again, one that the server could make
    /// nothing of once a day, one that is too large only by another version of the app.
    fileprivate func atStart(of appVersion: String, at now: Date) -> Self {
        switch step {
        case .keep: return Self(transaction)
        // A date that is ahead comes from a clock that the player has set.
        case .refused(let date) where abs(now.timeIntervalSince(date)) >= ReceiptLimits.refusedWait:
            return Self(transaction)
        case .tooLarge(let version) where version != appVersion: return Self(transaction)
        default: return self
        }
    }
}

/// How many receipts the client keeps, and how long it waits.
enum ReceiptLimits {
    /// The maximum number on disk. As many more wait in memory for room there; those beyond are left to the store,
    /// which hands them over again at the next start.
    static let queue = 1_000
    /// The maximum number of outcomes that nobody has read.
    static let outcomes = 100
    /// The first wait before asking what became of a receipt that the server keeps, unless it says another.
    static let lookAfter = Duration.seconds(5)
    static let maximumLookWait = Duration.seconds(300)
    /// The wait before a queue that cannot be read from disk is tried again.
    static let readAgainAfter = Duration.seconds(5)
    /// The wait before an account of another device is looked for again.
    static let lookForAccountAfter = Duration.seconds(15)
    /// In seconds: the least time between two requests with a receipt that the server can make nothing of.
    static let refusedWait: TimeInterval = 86_400
}
