package import AppStore
package import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP
package import StrictJSON

/// Reads App Store Server Notifications of either version, and verifies what can be verified without the App Store.
package struct NotificationReader: Sendable {
    package let verifier: NotificationVerifier
    /// The shared secret of an app.
    let secret: @Sendable (BundleID) -> String?

    /// Reads the body of a notification of either version.
    ///
    /// - Throws: ``/ServerCore/NotificationRejection``, ``/ServerCore/VerificationUnavailable``
    func read(_ body: NotificationBody, in context: RecordingContext) async throws -> ReadNotification {
        guard let signedPayload = body.signedPayload else { return try read(legacy: body.json, at: context.date) }
        return try await read(signedPayload: signedPayload, in: context)
    }

    /// Reads version 2.
    ///
    /// - Throws: ``/ServerCore/NotificationRejection`` for what the App Store did not sign,
    ///   ``/ServerCore/VerificationUnavailable``.
    func read(signedPayload: String, in context: RecordingContext) async throws -> ReadNotification {
        do {
            let notification = try await verifier.verify(signedPayload, catalog: context.catalog, at: context.date)
            return ReadNotification(notification: notification, version: 2, isVerified: true)
        } catch let rejection as ReceiptRejection {
            throw NotificationRejection(rejection: rejection, version: 2)
        } catch let error as VerifierUnavailable {
            throw VerificationUnavailable(error)
        }
    }

    /// Reads version 1. It is not signed, so the App Store is to be asked about the receipt in it.
    ///
    /// - Throws: ``/ServerCore/NotificationRejection`` if it cannot be read or its secret is wrong.
    private func read(legacy body: StrictJSON, at now: Date) throws(NotificationRejection) -> ReadNotification {
        do throws(ReceiptRejection) {
            let legacy = try LegacyNotification(json: body, secret: secret)
            let notification = AppStoreNotification(
                id: legacy.id, type: legacy.type, app: legacy.app, environment: legacy.environment, signedDate: now,
                content: legacy.latestReceipt ?? "")
            return ReadNotification(notification: notification, version: 1, isVerified: false)
        } catch {
            throw NotificationRejection(rejection: error, version: 1)
        }
    }
}

/// The body of a notification. Only the member that tells its version is decoded before the signature, or the secret,
/// is verified.
package struct NotificationBody: Sendable {
    /// The JWS of a version 2 notification; `nil` for version 1.
    var signedPayload: String?
    let json: StrictJSON

    /// Scans the body once.
    ///
    /// - Throws: `JSONError`
    package init(_ bytes: Data) throws(JSONError) {
        json = try StrictJSON(bytes, BodyLimits.notification.json, tolerance: .byteOrderMark)
        signedPayload = json.root["signedPayload"]?.string
    }
}
