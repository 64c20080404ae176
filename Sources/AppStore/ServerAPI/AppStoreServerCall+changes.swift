public import Foundation
public import InAppPurchase
import NIOHTTP1

extension AppStoreServerCall {
    /// Answers a request for consumption information about a purchase that a customer wants refunded. It may be sent
    /// again, and then counts anew.
    ///
    /// - Throws: `refused` with the code of the value that the App Store does not accept; `notFound`; `unavailable`.
    public func send(_ consumption: ConsumptionInformation, about id: TransactionID) async throws(AppStoreServerError) {
        let path = "/inApps/v2/transactions/consumption/\(try checked(id))"
        let body = try encoded { try JSONEncoder().encode(consumption) }
        try await perform(ServerAPIRequest(method: .PUT, path: path, body: body))
    }

    /// Marks a transaction as finished, so that StoreKit does not show it to the app again. Idempotent.
    ///
    /// - Throws: `notFound`; `refused`; `unavailable`.
    public func finish(_ id: TransactionID) async throws(AppStoreServerError) {
        try await perform(ServerAPIRequest(method: .POST, path: "/inApps/v1/transactions/\(try checked(id))/finish"))
    }

    /// Sets the `appAccountToken` of a purchase in place of the one that the app passed; it holds for all later
    /// renewals.
    ///
    /// - Parameter id: an original transaction ID.
    /// - Throws: `refused` for a family-shared transaction (4000185) or an ID that is not original (4000187);
    ///   `notFound`; `unavailable`.
    public func set(appAccountToken: UUID, of id: TransactionID) async throws(AppStoreServerError) {
        let path = "/inApps/v1/transactions/\(try checked(id))/appAccountToken"
        let body = try encoded { try JSONEncoder().encode(["appAccountToken": appAccountToken.text]) }
        try await perform(ServerAPIRequest(method: .PUT, path: path, body: body, limit: .changes))
    }

    /// Extends the renewal date of a subscription; Apple allows it twice a year.
    ///
    /// - Parameters:
    ///   - id: an original transaction ID.
    ///   - days: 1 to 90.
    ///   - requestID: at most 128 characters. Repeat it if it is not known whether the first request succeeded, so that
    ///     the customer does not get the extension twice.
    /// - Throws: `refused` if the App Store does not extend it (403…: 4030004, 4030005, 4030007); `notFound`;
    ///   `unavailable`.
    public func extendRenewalDate(
        of id: TransactionID, byDays days: Int, for reason: ExtensionReason, requestID: String
    ) async throws(AppStoreServerError) -> RenewalExtension {
        struct Body: Encodable {
            var extendByDays: Int
            var extendReasonCode: ExtensionReason
            var requestIdentifier: String
        }
        let path = "/inApps/v1/subscriptions/extend/\(try checked(id))"
        let body = try encoded {
            try JSONEncoder().encode(Body(extendByDays: days, extendReasonCode: reason, requestIdentifier: requestID))
        }
        let answer: RenewalExtensionResponse = try await answer(
            to: ServerAPIRequest(method: .PUT, path: path, body: body, limit: .changes)
        ).body
        return RenewalExtension(
            originalTransactionID: answer.originalTransactionId.id, isExtended: answer.success,
            effectiveDate: answer.effectiveDate?.date, webOrderLineItemID: answer.webOrderLineItemId)
    }

    func encoded(_ json: () throws -> Data) throws(AppStoreServerError) -> Data {
        do {
            return try json()
        } catch {
            throw .refused(.generalBadRequest)
        }
    }
}

/// Extensions for all subscribers of a product, in one environment: Production unless another was named.
extension AppStoreServerCall {
    /// Has the App Store extend the renewal dates of all active subscribers of a product. It does so in the background;
    /// ``subscriberExtension(_:of:)`` has the progress, and a notification (RENEWAL_EXTENSION) the result.
    ///
    /// Source: Apple, "Extend Subscription Renewal Dates for All Active Subscribers".
    ///
    /// - Parameters:
    ///   - days: 1 to 90.
    ///   - requestID: repeat it if it is not known whether the first request succeeded, so that nobody gets the
    ///     extension twice.
    /// - Throws: `refused`, as for a product that the App Store does not know (4000023); `unavailable`.
    public func extendRenewalDates(
        ofAllSubscribersOf product: ProductID, byDays days: Int, for reason: ExtensionReason, requestID: UUID
    ) async throws(AppStoreServerError) {
        struct Body: Encodable {
            var extendByDays: Int
            var extendReasonCode: ExtensionReason
            var requestIdentifier: String
            var productId: ProductID
        }
        let body = try encoded {
            try JSONEncoder().encode(
                Body(
                    extendByDays: days, extendReasonCode: reason, requestIdentifier: requestID.text, productId: product)
            )
        }
        try await inOneEnvironment.perform(
            ServerAPIRequest(method: .POST, path: "/inApps/v1/subscriptions/extend/mass", body: body, limit: .changes))
    }

    /// Requests how far the extension for all subscribers of a product is.
    ///
    /// Source: Apple, "Get Status of Subscription Renewal Date Extensions".
    ///
    /// - Throws: `notFound` if the App Store has no such request (4040009); `refused`; `unavailable`.
    public func subscriberExtension(
        _ requestID: UUID, of product: ProductID
    ) async throws(AppStoreServerError) -> SubscriberExtensionStatus {
        guard product.text.isProductPath else { throw .notFound(nil) }
        let path = "/inApps/v1/subscriptions/extend/mass/\(product)/\(requestID.text)"
        let answer = try await inOneEnvironment.answer(
            to: ServerAPIRequest(path: path, limit: .changes), as: SubscriberExtensionResponse.self
        ).body
        return SubscriberExtensionStatus(
            isComplete: answer.complete, completionDate: answer.completeDate?.date,
            succeeded: answer.succeededCount ?? 0, failed: answer.failedCount ?? 0)
    }
}

/// The reason for extending a subscription's renewal date (Apple, `extendReasonCode`).
public enum ExtensionReason: Int, Hashable, Codable, Sendable {
    /// 0: no reason is given.
    case undeclared
    /// 1: for customer satisfaction.
    case customerSatisfaction
    /// 2: another reason.
    case other
    /// 3: a service issue or outage.
    case serviceIssue
}

/// The App Store's response to a request to extend a renewal date.
public struct RenewalExtension: Hashable, Sendable {
    /// The original transaction of the subscription.
    public var originalTransactionID: TransactionID
    /// Whether the date was extended (`success`).
    public var isExtended: Bool
    /// The new renewal date; `nil` if it was not extended.
    public var effectiveDate: Date?
    /// The billing period that was extended (`webOrderLineItemId`).
    public var webOrderLineItemID: String?
}

struct RenewalExtensionResponse: Decodable, Sendable {
    var originalTransactionId: AppStoreID
    var webOrderLineItemId: String?
    var success: Bool
    var effectiveDate: AppStoreDate?
}

/// The progress of an extension for all subscribers of a product.
public struct SubscriberExtensionStatus: Hashable, Sendable {
    /// Whether the App Store is done (`complete`).
    public var isComplete: Bool
    /// The date when it was done; `nil` before.
    public var completionDate: Date?
    /// The number of subscriptions that were extended; 0 before it is done.
    public var succeeded: Int
    /// The number of subscriptions that were not extended; 0 before it is done.
    public var failed: Int
}

struct SubscriberExtensionResponse: Decodable, Sendable {
    var complete: Bool
    var completeDate: AppStoreDate?
    var succeededCount: Int?
    var failedCount: Int?
}
