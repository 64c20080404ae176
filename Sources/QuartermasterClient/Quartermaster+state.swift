import Foundation

extension Quartermaster {
    /// The age of entitlements, in seconds, from which ``ShopState/isStale`` is `true`.
    private static let staleAfter: TimeInterval = 86_400

    /// A snapshot of everything that is known now.
    public var state: ShopState { get async { await snapshot() } }

    /// The present snapshot, then one for each change. A reader that is slow misses all but the newest.
    public nonisolated func states() -> AsyncStream<ShopState> {
        let (stream, continuation) = AsyncStream.makeStream(of: ShopState.self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        continuation.onTermination = { _ in Task { await self.unsubscribe(id) } }
        Task { await self.subscribe(id, continuation) }
        return stream
    }

    private func subscribe(_ id: UUID, _ continuation: AsyncStream<ShopState>.Continuation) async {
        subscribers[id] = continuation
        continuation.yield(await snapshot())
    }

    private func unsubscribe(_ id: UUID) { subscribers[id] = nil }

    /// Sends a snapshot to the subscribers, if anything changed.
    func publish() async {
        planWake()
        let snapshot = await snapshot()
        var (one, other) = (snapshot, latest)
        (one.time, other.time) = (.distantPast, .distantPast)
        latest = snapshot
        guard one != other else { return }
        for subscriber in subscribers.values { subscriber.yield(snapshot) }
    }

    /// The products that the server lists, or those built in.
    var listedProducts: [ListedProduct] { productList.value?.products ?? configuration.builtIn }

    private func snapshot() async -> ShopState {
        var state = ShopState()
        let waiting = await engine.waiting
        let account = await session.stored
        await restrictEntitlements(to: account)
        state.time = time.now
        state.account = account
        state.accountsFound = accountsFound
        state.entitlements = account.id == nil ? [] : entitlements.value?.entitlements ?? []
        state.entitlementRefusal = refusal(in: state)
        state.balances = balances(of: account)
        state.spends = await spending.spends
        state.waitingTransactions = waiting.count
        state.isOnline = isOnline
        state.canMakePayments = canMakePayments
        state.isStale = entitlements.checkedAt.map { time.now.timeIntervalSince($0) > Self.staleAfter } ?? false
        state.lastError = lastError
        state.legal = productList.value?.legal
        state.notice = productList.value?.notice
        state.needsAppUpdate = needsAppUpdate
        state.ownedByAnotherAccount = ownedByAnotherAccount
        state.products = listedProducts.map { product(for: $0, in: state, waiting: Set(waiting.map(\.productID))) }
        state.bundles = await bundleStatuses(in: state)
        return state
    }

    /// Drops entitlements that are another account's, or of another environment of the store.
    private func restrictEntitlements(to account: AccountState) async {
        guard let id = account.id else { return }
        let environment = await environment.known
        entitlements.restrict(to: id, in: environment)
    }

    private func refusal(in state: ShopState) -> EntitlementRefusal? {
        let isExpired = state.entitlements.contains { entitlement in
            entitlement.access == .granted && !entitlement.hasAccess(at: state.time)
                && entitlement.until.map { state.time < $0 } ?? false
        }
        return entitlements.refusal ?? (isExpired ? .expired : nil)
    }

    private func balances(of account: AccountState) -> [String: Int] {
        let starting = productList.value?.startingCredits ?? [:]
        guard account.id != nil else { return starting }
        return entitlements.value?.balances ?? starting
    }

    private var needsAppUpdate: Bool {
        guard let text = productList.value?.minimumAppVersion, let minimum = SemanticVersion(text),
            let own = configuration.appVersion.flatMap(SemanticVersion.init)
        else { return false }
        return own < minimum
    }

    private func product(for listed: ListedProduct, in state: ShopState, waiting: Set<String>) -> ShopProduct {
        var product = ShopProduct(
            id: listed.id, type: listed.type, group: listed.group, level: listed.level,
            store: storeProducts?[listed.id], bundles: listed.bundles, contents: listed.contents,
            metadata: listed.metadata,
            state: productState(of: listed, in: state, isWaiting: waiting.contains(listed.id)))
        product.names = listed.names
        return product
    }

    private func productState(of listed: ListedProduct, in state: ShopState, isWaiting: Bool) -> ProductState {
        if purchases[listed.id] != nil { return .buying }
        if isWaiting { return .waiting }
        let owned = state.entitlements.first { $0.product == listed.id && $0.hasAccess(at: state.time) }
        if let owned, listed.type != .consumable { return .owned(until: owned.until) }
        if askedToBuy.contains(listed.id, at: state.time) { return .pending }
        guard storeProducts?[listed.id] == nil else { return .available }
        return .unavailable(storeAnswered.map { $0 ? .unknownToStore : .storeNotReached } ?? .notAsked)
    }
}
