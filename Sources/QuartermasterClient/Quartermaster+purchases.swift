public import Foundation

extension Quartermaster {
    /// Buys a product, and sends the purchase to the server. While a purchase of the product runs, another call joins
    /// it: two taps are one purchase.
    ///
    /// - Parameter again: whether to sell what the player has: a product that gives access now (``PurchaseResult``
    ///   says ``PurchaseResult/alreadyDelivered`` without it), or one that is paid and not delivered yet
    ///   (``PurchaseResult/waiting(provisionalUntil:)``). A purchase that runs is waited for. So a non-renewing
    ///   subscription is extended while it runs.
    /// - Throws: what the store throws; ``PaymentsUnavailable``; ``ConnectionError`` if there is no account yet and the
    ///   server cannot be asked for one. Nothing was bought then.
    public func buy(_ product: String, quantity: Int = 1, again: Bool = false) async throws -> PurchaseResult {
        if let running = purchases[product], !again { return try await running.value }
        while let running = purchases[product] { _ = await running.result }
        if !again, isOwned(product) { return .alreadyDelivered }
        // Nothing is awaited between the look for another purchase and this.
        let purchase = Task { try await self.run(product, quantity, again: again) }
        purchases[product] = purchase
        await publish()
        return try await purchase.value
    }

    private func run(_ product: String, _ quantity: Int, again: Bool) async throws -> PurchaseResult {
        let result: Result<PurchaseResult, any Error>
        do {
            result = .success(try await sell(product, quantity, again: again))
        } catch {
            result = .failure(error)
            tell(ShopEvent(.purchaseFailed, at: time.now, subject: product, error))
        }
        purchases[product] = nil
        await publish()
        return try result.get()
    }

    private func sell(_ product: String, _ quantity: Int, again: Bool) async throws -> PurchaseResult {
        if !again, let paid = await engine.waiting.first(where: { $0.productID == product }) {
            let result = await deliver(paid)
            // The store may hand over once more what was delivered long ago.
            if result != .alreadyDelivered || isOwned(product) { return result }
        }
        canMakePayments = await source.canMakePayments()
        guard canMakePayments else { throw PaymentsUnavailable() }
        let account = try await session.open()
        switch try await source.purchase(product, for: account.id, quantity: quantity) {
        case .cancelled: return .cancelled
        case .pending:
            askedToBuy.insert(product, at: time.now)
            return .pending
        case .purchased(let transaction): return await deliver(transaction)
        }
    }

    /// The IDs of products that the player chose in the App Store (promoted purchases and win-back offers). Buy each
    /// when that does not interrupt the player. Read it from launch on, once.
    public nonisolated var promotedPurchases: AsyncStream<String> { source.promotedPurchases }

    private func isOwned(_ product: String) -> Bool {
        entitlements.value?.entitlements.contains { entitlement in
            entitlement.product == product && entitlement.type != .consumable && entitlement.hasAccess(at: time.now)
        } ?? false
    }

    /// Creates the account now, if there is none: for views that sell by themselves, such as StoreKit's, whose option
    /// `.appAccountToken` takes it.
    ///
    /// - Throws: ``ConnectionError`` or ``ServerProblem`` if the server gives none; ``CredentialsUnavailable``.
    public func account() async throws -> UUID { try await session.open().id }

    /// Sends a transaction that the app's own purchase brought, and waits for the server's answer. Sent twice it is
    /// delivered once.
    public func deliver(_ transaction: SignedTransaction) async -> PurchaseResult {
        askedToBuy.remove(transaction.productID)
        await environment.learn(from: transaction)
        let outcome = await engine.submit(transaction)
        if outcome.changesEntitlements { try? await refreshAfterDelivery() }
        return outcome.result
    }

    /// Spends credits, exactly once: the key is on disk before the request, and the same key never spends twice.
    ///
    /// - Parameter key: a new one for each act of the player; the same one to ask again for the answer.
    /// - Returns: the balance after it.
    /// - Throws: ``ServerProblem`` with ``ServerProblem/Code/insufficientBalance`` or another if nothing was spent;
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
            tell(ShopEvent(.spendFailed, at: time.now, subject: currency, error))
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
