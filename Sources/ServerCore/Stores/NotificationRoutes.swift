package import Foundation
import HTTPTypes
import Hummingbird
package import InAppPurchase
import NIOCore
package import ServerHTTP

/// Receives the notifications of a store, such as App Store Server Notifications. Anybody may call the route; only what
/// the store sent is accepted.
package struct NotificationRoutes: RouteFeature {
    package let store: any Store
    package let recorder: NotificationRecorder
    package let clients: ClientAddresses
    /// The rate limit of forgeries, by address. Genuine notifications are accepted from any address: behind a proxy
    /// that is not in `trustedProxies`, the store has the same address as whoever forges.
    package let limiter: RateLimiter<IPAddress?>
    package let clock: @Sendable () -> Date

    package static func path(of store: any Store) -> String { "/v1/notifications/\(store.notificationName)" }

    package func add(to groups: RouteGroups) {
        let facts = RouteFacts(
            "receiveNotification", reads: .whole(store.notificationLimits(fromForger: false)))
        groups.root.on(.post, Self.path(of: store), facts) { try await accept($0, $1) }
    }

    private func accept(_ request: Request, _ context: ServerContext) async throws -> Response {
        let address = clients.subscriber(request, context)
        guard limiter.isTaken(address, at: clock()) else {
            do {
                try await record(request, context)
            } catch let rejection as NotificationRejection {
                try limiter.consume(for: address, at: clock())
                throw problem(rejection)
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
    private func recordFromForger(_ address: IPAddress?, _ request: Request, _ context: ServerContext) async throws {
        if let refusal = limiter.refusal(for: address, at: clock()) {
            // The store may have this address too, behind a proxy that is not in `trustedProxies`, and what it signed
            // is recorded. Chains of unknown signers wait for the address's turn in ``ChainVerificationQueue``.
            do {
                return try await record(request, context, isForger: true)
            } catch is NotificationRejection {
                try limiter.refuse(with: refusal)
            } catch let problem as Problem where problem.status == .contentTooLarge {
                try limiter.refuse(with: refusal)
            }
        }
        do {
            try await record(request, context)
            limiter.release(for: address)
        } catch let rejection as NotificationRejection {
            throw problem(rejection)
        } catch let problem as Problem where problem.status == .contentTooLarge {
            // The store sends no notification of that size.
            throw problem
        } catch {
            limiter.release(for: address)
            throw error
        }
    }

    /// - Parameter isForger: whether the address has forged too many.
    /// - Throws: ``NotificationRejection`` for what is not from the store.
    private func record(_ request: Request, _ context: ServerContext, isForger: Bool = false) async throws {
        do {
            let body = try await request.wholeBody(store.notificationLimits(fromForger: isForger), context)
            try await recorder.record(isDelivery: true) { context in try await store.readNotification(body, in: context)
            }
        } catch is BodySizeError {
            throw Problem.requestTooLarge
        }
    }

    private func problem(_ refused: NotificationRejection) -> Problem {
        Problem(
            .unprocessableContent, "notification_rejected", "This is not from the \(store.name)",
            reason: refused.rejection.reason.rawValue)
    }
}

/// Thrown for a notification that is not from the store.
package struct NotificationRejection: Error {
    package var rejection: ReceiptRejection
    /// The version of the store's format.
    package var version: Int

    package init(rejection: ReceiptRejection, version: Int) {
        self.rejection = rejection
        self.version = version
    }
}
