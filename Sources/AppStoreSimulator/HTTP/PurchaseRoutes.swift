import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// The route for purchases: `/simulator/v1/purchases`.
struct PurchaseRoutes: Sendable {
    var acts: Acts

    func add(to router: RouterGroup<StoreRequestContext>) {
        router.post("purchases", use: purchase)
    }

    @Sendable private func purchase(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let order = try await context.decode(PurchaseRequest.self, from: request)
        let date = acts.now
        let outcome = try await acts.counter.purchase(order, at: date)
        try await acts.notifier.tell(outcome, at: date)
        return try await acts.purchaseAnswer(outcome.purchase, for: order.device, at: date)
    }
}
