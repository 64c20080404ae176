package import Foundation
import InAppPurchase
import NIOCore
import NIOFoundationCompat

/// Every kind of body that a route reads, by the code that reads it. Tests measure all of them, and fuzzing tries them.
package enum RequestBodies {
    package struct Kind: Sendable {
        package var name: String
        package var maximumBytes: Int
        /// Does what the route does with the bytes before it acts on them.
        package var read: @Sendable (Data) throws -> Void
    }

    package static let all: [Kind] = [
        kind(PostBody.self), kind(RestoreBody.self), kind(SessionRequestBody.self), kind(SpendRequestBody.self),
        kind(ConsentBody.self), kind(ConfirmationBody.self), kind(ReasonBody.self), kind(TransferRequestBody.self),
        kind(AdjustmentRequestBody.self), kind(SandboxResetRequestBody.self), kind(DraftBody.self),
        Kind(name: "NotificationBody", maximumBytes: BodyLimits.notification.maximumBytes) {
            _ = try NotificationBody($0)
        },
        Kind(name: "ProductEntry", maximumBytes: BodyLimits.product.maximumBytes) {
            _ = try ProductEntry($0, id: "x", bundles: [], handlers: Server.standardHandlers)
        },
    ]

    private static func kind<Body: RequestBody>(_ type: Body.Type) -> Kind {
        Kind(name: "\(type)", maximumBytes: Body.limits.maximumBytes) {
            _ = try JSONCoding.decode(type, from: ByteBuffer(data: $0))
        }
    }
}
