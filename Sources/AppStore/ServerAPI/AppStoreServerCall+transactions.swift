import Foundation
public import InAppPurchase
public import StoreClient

extension AppStoreServerCall {
    /// Requests the present state of one transaction of any type.
    ///
    /// - Throws: `notFound`; `refused`, without a request if `id` is not a transaction ID; `unavailable`, also if the
    ///   transaction is not of this app, or cannot be verified.
    public func transaction(_ id: TransactionID) async throws(AppStoreServerError) -> AppStoreAnswer {
        let (environment, body) = try await answer(
            to: ServerAPIRequest(path: "/inApps/v1/transactions/\(try checked(id))"), as: TransactionInfoResponse.self)
        var items = SignedItems(self, environment)
        await items.add(body.signedTransactionInfo)
        return try items.answer()
    }

    /// Requests all transactions of the customer who has this one, of all types and states.
    ///
    /// If the App Store stops responding after the first page, the answer has the pages read until then.
    ///
    /// - Parameters:
    ///   - id: a transaction ID, an original transaction ID, or the app transaction's ID.
    ///   - revision: that of an earlier answer to the same filter; then only later changes are returned.
    ///   - pages: the maximum number of pages; further pages are then no interruption. `nil` reads all.
    /// - Throws: as ``transaction(_:)``.
    public func history(
        of id: TransactionID, matching filter: HistoryFilter = HistoryFilter(), since revision: String? = nil,
        upTo pages: Int? = nil
    ) async throws(AppStoreServerError) -> TransactionHistory {
        try await self.pages(
            of: ServerAPIRequest(path: "/inApps/v2/history/\(try checked(id))", query: filter.query), since: revision,
            upTo: pages)
    }

    /// Requests the refunded transactions of the customer who has this one, of all types; the first refund comes first.
    ///
    /// If the App Store stops responding after the first page, the answer has the pages read until then.
    ///
    /// Source: Apple, "Get Refund History".
    ///
    /// - Parameters:
    ///   - id: a transaction ID, an original transaction ID, or the app transaction's ID.
    ///   - revision: that of an earlier answer; then only later refunds are returned.
    ///   - pages: the maximum number of pages, of 20 refunds each; further pages are then no interruption. `nil` reads
    ///     all.
    /// - Throws: as ``transaction(_:)``.
    public func refunds(
        of id: TransactionID, since revision: String? = nil, upTo pages: Int? = nil
    ) async throws(AppStoreServerError) -> TransactionHistory {
        try await self.pages(
            of: ServerAPIRequest(path: "/inApps/v2/refund/lookup/\(try checked(id))", limit: .lookups),
            since: revision, upTo: pages)
    }

    /// Requests the latest transaction of each of the customer's subscriptions, with the state of its next renewal.
    ///
    /// - Parameter statuses: the statuses to return; an empty set returns all.
    /// - Throws: as ``transaction(_:)``.
    public func subscriptions(
        of id: TransactionID, in statuses: Set<SubscriptionStatus> = []
    ) async throws(AppStoreServerError) -> AppStoreAnswer {
        var request = ServerAPIRequest(path: "/inApps/v1/subscriptions/\(try checked(id))")
        request.query = statuses.map(\.rawValue).sorted().map { ("status", String($0)) }
        let (environment, body) = try await answer(to: request, as: StatusResponse.self)
        var items = SignedItems(self, environment, appAppleID: body.appAppleId)
        for item in body.data.flatMap(\.lastTransactions) {
            let status = (item.status?.value).flatMap(Int.init(exactly:))
            await items.add(item.signedTransactionInfo, renewal: item.signedRenewalInfo, status: status)
        }
        return try items.answer()
    }

    /// Requests the app transaction of the customer who has this transaction, for which no device is needed.
    ///
    /// Source: Apple, "Get App Transaction Info".
    ///
    /// - Parameter id: a transaction ID, an original transaction ID, or the app transaction's ID.
    /// - Throws: `notFound`, also if the customer has none (4040019); otherwise as ``transaction(_:)``.
    public func appTransaction(of id: TransactionID) async throws(AppStoreServerError) -> AppTransactionInfo {
        let (environment, body) = try await answer(
            to: ServerAPIRequest(path: "/inApps/v1/transactions/appTransactions/\(try checked(id))"),
            as: AppTransactionInfoResponse.self)
        let jws = body.signedAppTransactionInfo
        let transaction: AppTransaction
        do {
            transaction = try await SignedTransactionVerifier(signedData: client.verifier)
                .appTransaction(jws, maximumSize: SignedTransactionVerifier.maximumSize, at: now)
        } catch let rejection as ReceiptRejection {
            throw .temporary("the app transaction cannot be verified: \(rejection.reason), \(rejection.detail)")
        } catch {
            throw .busy
        }
        guard transaction.app == key.bundleID, transaction.environment == environment else {
            throw .temporary("an app transaction of another app or environment")
        }
        return AppTransactionInfo(transaction: transaction, content: jws)
    }

    /// Requests the transactions of an order by the number in the customer's e-mail, which they get as
    /// `PurchaseDetails.orderID`. Production only, since the sandbox sends no e-mail.
    ///
    /// - Throws: `notFound` for an order of another app, or an invalid number; otherwise as ``transaction(_:)``.
    public func order(_ number: String) async throws(AppStoreServerError) -> AppStoreAnswer {
        guard number.isPathSegment, environment != .sandbox else { throw .notFound(nil) }
        var call = self
        call.environment = environment ?? .production
        let (environment, body) = try await call.answer(
            to: ServerAPIRequest(path: "/inApps/v1/lookup/\(number)", limit: .lookups), as: OrderLookupResponse.self)
        guard body.status == 0 else { throw .notFound(nil) }
        var items = SignedItems(self, environment)
        await items.add(body.signedTransactions ?? [])
        var answer = try items.answer()
        answer.receipt.transactions = answer.receipt.transactions.map { $0.inOrder(number) }
        return answer
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

    /// - Throws: `refused` like the App Store's, so that no other string gets into a path.
    func checked(_ id: TransactionID) throws(AppStoreServerError) -> TransactionID {
        guard id.text.isStoreID else { throw .refused(.invalidTransactionID) }
        return id
    }
}

extension Transaction {
    /// The transaction with the ID of its order, which no signed transaction states.
    fileprivate func inOrder(_ number: String) -> Transaction {
        var transaction = self
        transaction.details = details ?? PurchaseDetails()
        transaction.details?.orderID = number
        return transaction
    }
}

struct HistoryResponse: Decodable, Sendable {
    var signedTransactions: [String]
    var revision: String?
    var hasMore: Bool
    /// The number in the app's App Store address; absent in the sandbox.
    var appAppleId: Int?
}

struct OrderLookupResponse: Decodable, Sendable {
    /// The status of the order number: 0 valid, 1 invalid.
    var status: Int
    var signedTransactions: [String]?
}

struct StatusResponse: Decodable, Sendable {
    struct Group: Decodable, Sendable {
        var lastTransactions: [Item]
    }

    struct Item: Decodable, Sendable {
        var signedTransactionInfo: String
        var signedRenewalInfo: String?
        var status: Lenient<Double>?
    }

    var appAppleId: Int?
    var data: [Group]
}

struct TransactionInfoResponse: Decodable, Sendable {
    var signedTransactionInfo: String
}

/// The transactions of a customer, as far as they were read.
public struct TransactionHistory: Sendable {
    /// The verified transactions.
    public var answer: AppStoreAnswer
    /// A token for the next request with the same filter, which then returns only later changes. Useful only in
    /// ascending order, which is also that of refunds.
    public var revision: String?
    /// The reason why there may be more, to be read from ``revision`` on; `nil` if all were read.
    public var interruption: Unavailability?
}

struct AppTransactionInfoResponse: Decodable, Sendable {
    var signedAppTransactionInfo: String
}

/// An app transaction as the App Store signed it.
public struct AppTransactionInfo: Hashable, Sendable {
    /// The verified facts.
    public var transaction: AppTransaction
    /// The JWS, which is a receipt like any other.
    public var content: String
}
