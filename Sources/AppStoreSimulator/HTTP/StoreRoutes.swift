import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore

/// The routes of the App Store itself, once for each environment.
struct StoreRoutes: Sendable {
    private static let otherMethods: [HTTPRequest.Method] = [.get, .put, .patch, .delete]

    var verifyReceipt: VerifyReceipt
    var environment: InAppPurchase.Environment
    var clock: @Sendable () -> Date

    func add(to router: RouterGroup<StoreRequestContext>) {
        router.post("verifyReceipt") { request, context in
            let body = try await context.body(of: request, upTo: SimulatorLimits.receiptBody)
            let answer = try await verifyReceipt.answer(
                to: Data(body.readableBytesView), in: environment, at: clock().wholeMilliseconds)
            return try Response.json(answer)
        }
        for method in Self.otherMethods {
            router.on("verifyReceipt", method: method) { _, _ in
                try Response.json(VerifyReceiptAnswer.status(ReceiptStatus.badRequest))
            }
        }
    }
}
