import AppStore
import AppStoreService
import Foundation
import HTTPTypes
package import InAppPurchase
import NIOCore
import QuartermasterServer
import ServerCore
import ServerHTTP
import StoreClient
import Testing

extension World {
    package static let notificationPath = "/v1/notifications/app-store"

    /// Has the store send its notifications there; by default it sends none.
    ///
    /// - Parameter url: nil: to nobody, so that they are only in the store's history.
    package func setNotificationURL(_ url: String? = nil, version: Int = 2, password: String? = nil) async throws {
        var setting: [String: JSONValue] = [
            "url": .string(url ?? "http://127.0.0.1:9/"), "version": .integer(version),
        ]
        setting["password"] = password.map { .string($0) }
        try await store.execute(
            uri: "/simulator/v1/notification-url", method: .put,
            body: ByteBuffer(bytes: try JSONEncoder().encode(JSONValue.object(setting)))
        ) { #expect($0.status.code < 300) }
    }

    /// The address where the server takes notifications.
    package var notificationURL: String { "http://localhost:\(port ?? 0)\(Self.notificationPath)" }

    /// All notifications of the store about the app in this many days until now, as signed and in the order of signing.
    /// The app needs a server key.
    package func signedPayloads(
        in environment: InAppPurchase.Environment = .production, ofDays days: Double = 20
    ) async throws -> [String] {
        let reconciler = assembly.store.reconciler
        let key = try #require(await reconciler.keys.key(for: BundleID(stored: Self.app)))
        let all = NotificationFilter(from: clock.now - days * 86_400, to: clock.now + 1)
        return try await repeatingTimeouts {
            let call = reconciler.api.asking(for: key, in: environment, within: .seconds(30), at: clock.now)
            return try await call.notifications(matching: all).signedPayloads
        }
    }

    /// Asks again if the machine was too busy for an answer in time: all tests run at once on few processors.
    private func repeatingTimeouts<Value>(_ ask: () async throws -> Value) async throws -> Value {
        for _ in 1..<5 {
            do {
                return try await ask()
            } catch let error as AppStoreServerError where error.isTimeout {
                continue
            }
        }
        return try await ask()
    }

    package func receive(_ signedPayload: String) async throws -> Answer {
        try await call(.post, Self.notificationPath, ["signedPayload": .string(signedPayload)])
    }
}

extension AppStoreServerError {
    fileprivate var isTimeout: Bool {
        guard case .unavailable(let unavailability) = self else { return false }
        return unavailability.detail == StoreExchange.timeout
    }
}
