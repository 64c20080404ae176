import AppStore
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore

/// Where the store tells what happened: `POST /v1/notifications/app-store`. Anybody may call it; only what the store
/// signed, or knows the app's secret, is taken.
struct NotificationRoutes: Sendable {
    let intake: NotificationIntake
    let clients: ClientAddresses
    /// Counts forgeries by address. What is genuine is taken from any: behind a proxy that nobody named as trusted, the
    /// store has the address of whoever forges.
    let limiter: RateLimiter<IPAddress?>
    let clock: @Sendable () -> Date

    func add(to router: Router<ServerContext>) {
        router.post("/v1/notifications/app-store") { request, context in try await take(request, context) }
    }

    private func take(_ request: Request, _ context: ServerContext) async throws -> Response {
        let body: ByteBuffer
        do {
            body = try await request.wholeBody(
                upTo: LegacyNotification.maximumSize, within: Limits.bodyTime, context)
        } catch is BodyTooLarge {
            throw Problem.requestTooLarge
        }
        do {
            if let signedPayload = signedPayload(in: body) {
                try await intake.take(signedPayload: signedPayload)
            } else {
                try await intake.take(legacy: Data(body.readableBytesView))
            }
        } catch let rejection as ReceiptRejection {
            try limiter.take(for: clients.subscriber(request, context), at: clock())
            throw Problem(
                .unprocessableContent, "notification_rejected", "This is not from the App Store",
                reason: rejection.reason.rawValue)
        }
        return Response(status: .ok)
    }

    /// Nil where it is no notification of version 2.
    private func signedPayload(in body: ByteBuffer) -> String? {
        struct Body: Decodable { var signedPayload: String }
        return try? JSONCoding.decode(Body.self, from: body).signedPayload
    }
}
