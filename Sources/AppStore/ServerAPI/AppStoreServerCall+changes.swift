public import Foundation
public import InAppPurchase
import NIOHTTP1

extension AppStoreServerCall {
    /// Answers the store's question about a purchase that a customer wants refunded. The second time it counts anew.
    ///
    /// - Throws: `refused` with the code of the value that the store does not take; `notFound`; `unavailable`.
    public func send(
        _ consumption: ConsumptionInformation, about id: TransactionID
    ) async throws(AppStoreServerError) {
        let path = "/inApps/v2/transactions/consumption/\(try checked(id))"
        let body = try encoded { try JSONEncoder().encode(consumption) }
        try await perform(ServerAPIRequest(method: .PUT, path: path, body: body))
    }

    /// Marks a transaction as finished, so that StoreKit does not show it to the app again; the same the second time.
    ///
    /// - Throws: `notFound`; `refused`; `unavailable`.
    public func finish(_ id: TransactionID) async throws(AppStoreServerError) {
        try await perform(
            ServerAPIRequest(method: .POST, path: "/inApps/v1/transactions/\(try checked(id))/finish"))
    }

    /// Says whose a purchase is, in place of what the app said; it holds for all renewals to come.
    ///
    /// - Parameter id: of the original transaction.
    /// - Throws: `refused` for a family member's (4000185) or what is no original (4000187); `notFound`; `unavailable`.
    public func set(appAccountToken: UUID, of id: TransactionID) async throws(AppStoreServerError) {
        let path = "/inApps/v1/transactions/\(try checked(id))/appAccountToken"
        let body = try encoded { try JSONEncoder().encode(["appAccountToken": appAccountToken.text]) }
        try await perform(ServerAPIRequest(method: .PUT, path: path, body: body, limit: .changes))
    }

    /// Puts off a subscription's next renewal, twice a year at most.
    ///
    /// - Parameters:
    ///   - id: of the original transaction.
    ///   - days: 1 to 90.
    ///   - requestID: at most 128 characters; the same again where it is not known whether the first request came
    ///     through, so that nobody gets twice the time.
    /// - Throws: `refused` where the store does not do it (403…: 4030004, 4030005, 4030007); `notFound`; `unavailable`.
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
            try JSONEncoder().encode(
                Body(extendByDays: days, extendReasonCode: reason, requestIdentifier: requestID))
        }
        let answer: RenewalExtensionResponse = try await answer(
            to: ServerAPIRequest(method: .PUT, path: path, body: body, limit: .changes)
        ).body
        return RenewalExtension(
            originalTransactionID: answer.originalTransactionId.text, isExtended: answer.success,
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
