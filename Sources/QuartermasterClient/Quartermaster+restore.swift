import Foundation

extension Quartermaster {
    /// Asks the store for everything that the customer ever bought, and sends it to the server for this account. The
    /// store may ask the player for a password: call it when the player asks for it, never automatically. Purchases of
    /// another account may be transferred to this one.
    ///
    /// - Throws: what the store throws, ``ServerProblem`` or ``ConnectionError``. Repeating it does no harm.
    public func restore() async throws -> RestoreResult {
        let account = try await session.open()
        try await source.synchronize()
        return try await send(source.history(), for: account, mayTransfer: true)
    }

    /// Sends what the device knows of the customer's purchases to the server, without asking the player anything: those
    /// made before the app had this library, or on another device. Nothing is taken from another account. It happens by
    /// itself after ``start()``, once an install, and after a change of account.
    ///
    /// - Returns: nothing sent, without an account being created, if the customer has bought nothing.
    /// - Throws: as ``restore()``.
    @discardableResult public func sync() async throws -> RestoreResult {
        let history = try await source.history()
        guard !history.isEmpty else { return RestoreResult() }
        return try await send(history, for: session.open(), mayTransfer: false)
    }

    private func send(
        _ history: [SignedTransaction], for account: PlayerAccount, mayTransfer: Bool
    ) async throws -> RestoreResult {
        var rest = history[...]
        var result = RestoreResult()
        repeat {
            let some = Array(rest.prefix(RestoreRequest.maximumReceipts))
            rest = rest.dropFirst(some.count)
            result = result.adding(try await send(some, mayTransfer: mayTransfer), of: some.count)
        } while !rest.isEmpty
        try? synced.save(account.id)
        ownedByAnotherAccount = result.ownedByAnotherAccount.first
        try await refreshAfterDelivery()
        await publish()
        return result
    }

    private func send(_ transactions: [SignedTransaction], mayTransfer: Bool) async throws -> [RestoredReceipt] {
        let request = try APIRequest(.post, "v1", "restore").json(
            RestoreRequest(
                receipts: transactions.map(\.jws), bundleID: configuration.bundleID,
                environment: await environment.value(), mayTransfer: mayTransfer,
                deviceVerificationID: await source.deviceVerificationID()?.uuidString.lowercased()))
        let answer = try await JSONDecoder().decode(EntitlementsAnswer.self, from: session.send(request).body)
        let finished = zip(transactions, answer.receipts).filter { $0.1.mayFinish }.map(\.0.id)
        await engine.finishRestored(finished)
        return answer.receipts
    }

    // MARK: By itself

    /// Begins ``sync()``, if the purchases were not sent for this account yet.
    func beginSync() {
        guard isStarted, syncing == nil else { return }
        syncing = Task {
            await self.syncIfNeeded()
            self.syncing = nil
        }
    }

    private func syncIfNeeded() async {
        do {
            while let history = try await unsentHistory(), !Task.isCancelled {
                if try await session.mayOpen(for: history) {
                    _ = try await send(history, for: session.open(), mayTransfer: false)
                    return
                }
                await publish()
                try await configuration.clock.sleep(ReceiptLimits.lookForAccountAfter)
            }
        } catch {
            // After the next refresh it is tried again.
        }
    }

    /// The customer's purchases; `nil` if there are none, or if they were sent.
    private func unsentHistory() async throws -> [SignedTransaction]? {
        let account = try await session.current()?.id
        if let known = try synced.load(), known == account || account == nil { return nil }
        let history = try await source.history()
        guard history.isEmpty else { return history }
        if let account { try synced.save(account) }
        return nil
    }
}

extension RestoreResult {
    fileprivate func adding(_ receipts: [RestoredReceipt], of count: Int) -> Self {
        var copy = self
        copy.sent += count
        copy.verified += receipts.count { $0.status == "verified" }
        copy.pending += receipts.count { $0.status == "pending" }
        copy.rejected += receipts.count { $0.status == "rejected" }
        copy.ownedByAnotherAccount += receipts.compactMap(\.remedy)
        return copy
    }
}
