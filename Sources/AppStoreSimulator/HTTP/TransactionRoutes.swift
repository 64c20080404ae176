import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// The routes for events of single transactions: `/simulator/v1/transactions/{id}/…`.
struct TransactionRoutes: Sendable {
    private struct ConsumptionRequest: Decodable {
        var reason: String?
    }

    /// Apple, consumptionRequestReason.
    private static let reasons: Set = [
        "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
    ]

    var acts: Acts

    func add(to router: RouterGroup<StoreRequestContext>) {
        router.post("transactions/{id}/refund", use: refund)
        router.post("transactions/{id}/refund-reversed") { _, context in
            try await acts.change(context, .refundReversed) { purchase, _ in
                guard purchase.transaction.revocation != nil else {
                    throw Problem(status: .conflict, code: "not_refunded", detail: "There is no refund to reverse.")
                }
                purchase.reverseRefund()
            }
        }
        router.post("transactions/{id}/refund-declined") { _, context in
            try await acts.change(context, .refundDeclined) { _, _ in }
        }
        router.post("transactions/{id}/revoke") { _, context in
            try await acts.change(context, .revoke) { purchase, date in
                guard purchase.transaction.ownershipType == .familyShared else {
                    throw Problem(
                        status: .conflict, code: "not_family_shared",
                        detail: "Only what Family Sharing gave is revoked; a purchase is refunded.")
                }
                purchase.refund(at: date)
            }
        }
        router.post("transactions/{id}/consumption-request", use: requestConsumption)
    }

    @Sendable private func refund(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let refund = try Refund(try await context.data(of: request))
        return try await acts.change(context, .refund) { refund.apply(to: &$0, at: $1) }
    }

    @Sendable private func requestConsumption(
        _ request: Request, _ context: StoreRequestContext
    ) async throws -> Response {
        let reason = try await context.decodeIfPresent(ConsumptionRequest.self, from: request)?.reason ?? "OTHER"
        guard Self.reasons.contains(reason) else {
            throw Problem.invalid("reason: expected \(Self.reasons.sorted().joined(separator: ", "))")
        }
        return try await acts.change(context, .consumptionRequest, reason: reason) { _, _ in }
    }
}
