import Foundation
public import InAppPurchase

extension AppStoreServerCall {
    /// One transaction of any type, as it is now.
    ///
    /// - Throws: `notFound`; `refused`, without asking for what is no transaction ID; `unavailable`, also where the
    ///   transaction is not of this app, or cannot be verified.
    public func transaction(_ id: TransactionID) async throws(AppStoreServerError) -> AppStoreAnswer {
        let (environment, body) = try await answer(
            to: ServerAPIRequest(path: "/inApps/v1/transactions/\(try checked(id))"), as: TransactionInfoResponse.self)
        var items = SignedItems(self, environment)
        await items.add(body.signedTransactionInfo)
        return try items.answer()
    }

    /// All transactions of the customer who has this one, whatever their types and states.
    ///
    /// Where the store stops answering after the first page, there is what was read until then.
    ///
    /// - Parameters:
    ///   - id: of a transaction, of an original one, or of the app's download.
    ///   - revision: of an earlier answer to the same filter; then only what changed since.
    ///   - pages: how many are read at most; that there are more is no interruption then. Nil: all.
    /// - Throws: as ``transaction(_:)``.
    public func history(
        of id: TransactionID, matching filter: HistoryFilter = HistoryFilter(), since revision: String? = nil,
        upTo pages: Int? = nil
    ) async throws(AppStoreServerError) -> TransactionHistory {
        try await self.pages(
            of: ServerAPIRequest(path: "/inApps/v2/history/\(try checked(id))", query: filter.query), since: revision,
            upTo: pages)
    }

    /// The latest transaction of each of the customer's subscriptions, with what is known of its next renewal.
    ///
    /// - Parameter statuses: only those; empty: all.
    /// - Throws: as ``transaction(_:)``.
    public func subscriptions(
        of id: TransactionID, in statuses: Set<SubscriptionStatus> = []
    ) async throws(AppStoreServerError) -> AppStoreAnswer {
        var request = ServerAPIRequest(path: "/inApps/v1/subscriptions/\(try checked(id))")
        request.query = statuses.map(\.rawValue).sorted().map { ("status", String($0)) }
        let (environment, body) = try await answer(to: request, as: StatusResponse.self)
        var items = SignedItems(self, environment, appAppleID: body.appAppleId)
        for item in body.data.flatMap(\.lastTransactions) {
            await items.add(item.signedTransactionInfo, renewal: item.signedRenewalInfo)
        }
        return try items.answer()
    }

    /// The transactions of an order, whose number stands in the customer's e-mail. Production only, since the sandbox
    /// sends none.
    ///
    /// - Throws: `notFound` for what is no order of this app, or not the number of any order; else as
    ///   ``transaction(_:)``.
    public func order(_ number: String) async throws(AppStoreServerError) -> AppStoreAnswer {
        guard number.isPathSegment, environment != .sandbox else { throw .notFound(nil) }
        var call = self
        call.environment = environment ?? .production
        let (environment, body) = try await call.answer(
            to: ServerAPIRequest(path: "/inApps/v1/lookup/\(number)", limit: .lookups), as: OrderLookupResponse.self)
        guard body.status == 0 else { throw .notFound(nil) }
        var items = SignedItems(self, environment)
        await items.add(body.signedTransactions ?? [])
        return try items.answer()
    }

    private func pages(
        of request: ServerAPIRequest, since revision: String?, upTo wanted: Int? = nil
    ) async throws(AppStoreServerError) -> TransactionHistory {
        var call = self
        var (located, page) = try await answer(to: request.with("revision", revision), as: HistoryResponse.self)
        call.environment = located
        var items = SignedItems(self, located, appAppleID: page.appAppleId)
        await items.add(page.signedTransactions)
        var interruption: Unavailability?
        let most = max(1, min(wanted ?? .max, AppStoreServerClient.maximumPages))
        for _ in 1..<most where page.hasMore && interruption == nil {
            do {
                page = try await call.answer(to: request.with("revision", page.revision)).body
                await items.add(page.signedTransactions)
            } catch .unavailable(let unavailability) {
                interruption = unavailability
            }
        }
        if page.hasMore, interruption == nil, wanted == nil {
            interruption = Unavailability(.temporary, "too many pages")
        }
        return TransactionHistory(answer: try items.answer(), revision: page.revision, interruption: interruption)
    }

    /// - Throws: `refused` as the store would, so that nothing else ever stands in a path.
    func checked(_ id: TransactionID) throws(AppStoreServerError) -> TransactionID {
        guard id.isStoreID else { throw .refused(.invalidTransactionID) }
        return id
    }
}
