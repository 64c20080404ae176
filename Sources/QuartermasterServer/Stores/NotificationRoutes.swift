import AppStore
import Basics
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore
import NIOFoundationCompat

/// Receives App Store Server Notifications: `POST /v1/notifications/app-store`. Anybody may call it; only what the App
/// Store signed, or what has the app's shared secret, is accepted.
struct NotificationRoutes: Sendable {
    let intake: NotificationIntake
    let clients: ClientAddresses
    /// The rate limit of forgeries, by address. Genuine notifications are accepted from any address: behind a proxy
    /// that is not in `trustedProxies`, the App Store has the same address as whoever forges.
    let limiter: RateLimiter<IPAddress?>
    let clock: @Sendable () -> Date

    func add(to router: Router<ServerContext>) {
        router.post("/v1/notifications/app-store") { request, context in try await accept(request, context) }
    }

    private func accept(_ request: Request, _ context: ServerContext) async throws -> Response {
        let address = clients.subscriber(request, context)
        guard limiter.hasTaken(address, at: clock()) else {
            do {
                try await record(request, context, ofKnownSigner: false)
            } catch let rejection as ReceiptRejection {
                try limiter.consume(for: address, at: clock())
                throw Problem(rejection)
            } catch let problem as Problem where problem.status == .contentTooLarge {
                try limiter.consume(for: address, at: clock())
                throw problem
            }
            return Response(status: .ok)
        }
        try await recordFromForger(address, request, context)
        return Response(status: .ok)
    }

    /// Counts the request before the work, and takes the count back for anything but a forgery.
    private func recordFromForger(
        _ address: IPAddress?, _ request: Request, _ context: ServerContext
    ) async throws {
        if let refusal = limiter.refusal(for: address, at: clock()) {
            // The App Store may have this address too, behind a proxy that is not in `trustedProxies`.
            do {
                return try await record(request, context, ofKnownSigner: true)
            } catch is ReceiptRejection {
                try limiter.refuse(with: refusal)
            } catch let problem as Problem where problem.status == .contentTooLarge {
                try limiter.refuse(with: refusal)
            }
        }
        do {
            try await record(request, context, ofKnownSigner: false)
            limiter.giveBack(for: address)
        } catch let rejection as ReceiptRejection {
            throw Problem(rejection)
        } catch let problem as Problem where problem.status == .contentTooLarge {
            // The App Store sends no notification of that size.
            throw problem
        } catch {
            limiter.giveBack(for: address)
            throw error
        }
    }

    /// - Parameter ofKnownSigner: whether only a version 2 notification is read whose signer's certificate chain was
    ///   verified before, which costs the verification of one signature.
    /// - Throws: `ReceiptRejection` for what is not from the App Store.
    private func record(_ request: Request, _ context: ServerContext, ofKnownSigner: Bool) async throws {
        do {
            let body = try await request.wholeBody(ofKnownSigner ? .signedNotification : .notification, context)
            let notification = try await LargeBodies.shared.run(bytes: body.readableBytes) {
                try NotificationBody(Data(buffer: body))
            }
            try await intake.accept(notification, ofKnownSigner: ofKnownSigner)
        } catch let mistake as JSONError {
            throw intake.refused(ReceiptRejection(.malformed, mistake.description), version: 1)
        } catch is BodyTooLarge {
            throw Problem.requestTooLarge
        }
    }
}

extension Problem {
    fileprivate init(_ rejection: ReceiptRejection) {
        self.init(
            .unprocessableContent, "notification_rejected", "This is not from the App Store",
            reason: rejection.reason.rawValue)
    }
}
