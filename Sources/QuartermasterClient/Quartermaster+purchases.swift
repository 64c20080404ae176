public import Foundation

extension Quartermaster {
    /// Buys a product, and sends the purchase to the server.
    ///
    /// - Throws: what the store throws; ``ConnectionError`` if there is no account yet and the server cannot be asked
    ///   for one. Nothing was bought then.
    public func buy(_ product: String, quantity: Int = 1) async throws -> PurchaseResult {
        let account = try await session.open()
        buying.insert(product)
        await publish()
        defer { buying.remove(product) }
        switch try await source.purchase(product, for: account.id, quantity: quantity) {
        case .cancelled:
            buying.remove(product)
            await publish()
            return .cancelled
        case .pending:
            askedToBuy.insert(product)
            buying.remove(product)
            await publish()
            return .pending
        case .purchased(let transaction): return await deliver(transaction)
        }
    }

    private func deliver(_ transaction: SignedTransaction) async -> PurchaseResult {
        askedToBuy.remove(transaction.productID)
        let outcome = await engine.submit(transaction)
        buying.remove(transaction.productID)
        if outcome.changesEntitlements { try? await refreshAfterDelivery() }
        await publish()
        return outcome.result
    }

    /// Asks the store for everything that the customer ever bought, and sends it to the server for this account. The
    /// store may ask the player for a password: call it when the player asks for it, never automatically. Purchases of
    /// another account may be transferred to this one.
    ///
    /// - Throws: what the store throws, ``Problem`` or ``ConnectionError``. Repeating it does no harm.
    public func restore() async throws -> RestoreResult {
        _ = try await session.open()
        try await source.synchronize()
        var rest = try await source.history()[...]
        var result = RestoreResult()
        repeat {
            let some = Array(rest.prefix(RestoreRequest.maximumReceipts))
            rest = rest.dropFirst(some.count)
            result = result.adding(try await restore(some), of: some.count)
        } while !rest.isEmpty
        ownedByAnotherAccount = result.ownedByAnotherAccount.first
        try await refreshAfterDelivery()
        await publish()
        return result
    }

    private func restore(_ transactions: [SignedTransaction]) async throws -> [RestoredReceipt] {
        let request = try APIRequest(.post, "v1", "restore").json(
            RestoreRequest(
                receipts: transactions.map(\.jws), bundleID: configuration.bundleID,
                environment: await source.environment(), mayTransfer: true,
                deviceVerificationID: await source.deviceVerificationID()?.uuidString.lowercased()))
        let answer = try await JSONDecoder().decode(EntitlementsAnswer.self, from: session.send(request).body)
        let finished = zip(transactions, answer.receipts).filter { $0.1.mayFinish }.map(\.0.id)
        await engine.finishRestored(finished)
        return answer.receipts
    }

    /// Spends credits, exactly once: the key is on disk before the request, and the same key never spends twice.
    ///
    /// - Parameter key: a new one for each act of the player; the same one to ask again for the answer.
    /// - Returns: the balance after it.
    /// - Throws: ``Problem`` with ``Problem/Code/insufficientBalance`` or another if nothing was spent;
    ///   ``ConnectionError/notConnected`` if nothing was sent; ``SpendPending`` if the answer was lost, after which the
    ///   spend stands in ``ShopState/spends`` until it is acknowledged.
    @discardableResult public func spend(_ amount: Int, of currency: String, key: UUID = UUID()) async throws -> Int {
        do {
            let balance = try await spending.spend(amount, of: currency, key: key)
            _ = try? await refreshEntitlements()
            await publish()
            return balance
        } catch {
            isOnline = isOnline && !(error is ConnectionError)
            await publish()
            throw error
        }
    }

    /// Forgets a settled spend: the app has given the player what was paid for. The second time nothing happens.
    public func acknowledgeSpend(_ key: UUID) async {
        await spending.acknowledge(key)
        await publish()
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
