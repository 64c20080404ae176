import Basics
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// Consumption information about a purchase that a customer wants refunded (Apple, "Send Consumption Information").
extension ServerAPI {
    /// Stores the consumption information, in place of earlier one.
    func consume(_ call: ServerAPICall, _ rules: ConsumptionRules) async throws -> Response {
        let members = try await call.body([String: JSONValue].self)
        let purchase = try await transaction(call).purchase
        guard rules.productTypes.isEmpty || purchase.transaction.productType.map(rules.productTypes.contains) ?? false
        else { throw ServerAPIError.transactionType }
        try rules.check(members)
        if rules.hasPercentage { try Self.checkPercentage(members, of: purchase) }
        try await book.store.set([Self.storeKey(call.transactionID): JSONEncoder().encode(members)])
        return Response(status: .accepted)
    }

    /// The consumption information that was sent about a transaction; `nil` if there is none.
    static func consumption(of id: TransactionID, in store: any KeyValueStore) async throws -> Data? {
        try await store.value(forKey: storeKey(id))
    }

    private static func storeKey(_ id: TransactionID) -> String { "simulator/consumption/\(id)" }

    private static func checkPercentage(_ members: [String: JSONValue], of purchase: StoredPurchase) throws {
        let isProrated = members["refundPreference"] == .string("GRANT_PRORATED")
        guard let value = members["consumptionPercentage"], value != .null else {
            if isProrated, purchase.subscription == nil { throw ServerAPIError.badRequest }
            return
        }
        guard purchase.subscription == nil else { throw ServerAPIError.consumptionPercentage }
        guard case .integer(let percentage) = value, SimulatorLimits.percentage.contains(percentage) else {
            throw ServerAPIError.badRequest
        }
        let isDelivered = members["deliveryStatus"] == .string("DELIVERED")
        let isInside =
            percentage > SimulatorLimits.percentage.lowerBound && percentage < SimulatorLimits.percentage.upperBound
        guard isDelivered || percentage == 0, !isProrated || isInside else { throw ServerAPIError.badRequest }
    }
}
