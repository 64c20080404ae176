public import Foundation
public import InAppPurchase

/// Verifies App Store Server Notifications, version 2.
///
/// Anybody can post to the server: only the signatures prove that the App Store sent a notification.
public struct NotificationVerifier: Sendable {
    /// The maximum size in bytes. Genuine notifications have about 18 kB; Apple states no limit.
    public static let maximumSize = 256 << 10

    private let signedData: SignedDataVerifier
    private let transactions: SignedTransactionVerifier

    /// - Parameter signedData: the verifier that is used for transactions too, so that they share its cache of signers.
    public init(signedData: SignedDataVerifier) {
        self.signedData = signedData
        transactions = SignedTransactionVerifier(signedData: signedData)
    }

    /// Verifies the notification and all signed data in it, each by itself, and returns its facts.
    ///
    /// A notification of an app that is not in the catalog is valid: it names its app, and the caller decides.
    ///
    /// - Parameters:
    ///   - signedPayload: the JWS, at most ``maximumSize`` bytes.
    ///   - catalog: if it has the app's number in the App Store, a Production notification with another is rejected.
    ///   - now: notifications that are signed in the future are not judged; certificates are judged at the date of
    ///     signing.
    /// - Throws: what ``SignedDataVerifier`` throws, of the notification or of signed data in it; `unsupported` for
    ///   other signed data than a notification; `environment` for any but Production and Sandbox, and for signed data
    ///   of another one in it; `bundleID` for signed data of another app in it; `malformed` for renewal info of another
    ///   purchase in it; `appAppleID`, also for a Production notification without the number, which the App Store
    ///   always gives there (Apple, "data": the sandbox has none); ``VerifierUnavailable``.
    public func verify(_ signedPayload: String, catalog: Catalog, at now: Date) async throws -> AppStoreNotification {
        let (payload, environment) = try await signedData.read(
            signedPayload, maximumSize: Self.maximumSize, at: now
        ) { signed throws(ReceiptRejection) in try Self.claims(signed, catalog) }
        var notification = AppStoreNotification(
            id: payload.notificationUUID.text, type: payload.notificationType, subtype: payload.subtype,
            app: payload.subject?.bundleId, environment: environment, signedDate: payload.signedDate.date,
            content: signedPayload, facts: try await facts(of: payload.subject, in: environment, catalog, at: now),
            consumptionRequestReason: payload.subject?.consumptionRequestReason)
        notification.extensionSummary = payload.extensionSummary
        return notification
    }

    private static func claims(
        _ signed: SignedPayload, _ catalog: Catalog
    ) throws(ReceiptRejection) -> (payload: NotificationPayload, environment: Environment?) {
        guard signed.has("notificationType"), signed.has("notificationUUID") else {
            throw ReceiptRejection(.unsupported, "not a notification")
        }
        let payload = try signed.decode(NotificationPayload.self)
        let environment = try payload.subject?.storeEnvironment
        if let subject = payload.subject, let app = subject.bundleId, let environment {
            guard environment != .production || subject.appAppleId != nil else {
                throw ReceiptRejection(.appAppleID, "a notification of Production without the app's number")
            }
            try catalog.check(appAppleID: subject.appAppleId, of: app, in: environment)
        }
        return (payload, environment)
    }

    private func facts(
        of subject: NotificationPayload.Subject?, in environment: Environment?, _ catalog: Catalog, at now: Date
    ) async throws -> VerifiedReceipt {
        guard let subject, subject.holdsSignedData else { return VerifiedReceipt(transactions: []) }
        guard let app = subject.bundleId else { throw ReceiptRejection(.bundleID, "signed data of no app") }
        guard let environment else { throw ReceiptRejection(.environment, "signed data of no environment") }
        let scope = Scope(app: app, environment: environment)
        try await check(subject.signedAppTransactionInfo, in: scope, catalog, at: now)
        let transaction = try await transaction(subject.signedTransactionInfo, in: scope, at: now)
        let renewal = try await renewal(
            subject.signedRenewalInfo, status: subject.status.flatMap(Int.init(exactly:)), of: transaction, in: scope,
            at: now)
        return VerifiedReceipt(transactions: transaction.map { [$0] } ?? [], renewals: renewal)
    }
}

/// The app and environment of the notification, which all signed data in it must share.
private struct Scope {
    var app: BundleID
    var environment: Environment

    func check(_ other: Environment) throws(ReceiptRejection) {
        guard other == environment else {
            throw ReceiptRejection(.environment, "not the environment of the notification")
        }
    }
}

extension NotificationVerifier {
    private func transaction(_ jws: String?, in scope: Scope, at now: Date) async throws -> Transaction? {
        guard let jws else { return nil }
        let transaction = try await transactions.verify(jws, apps: [scope.app], maximumSize: Self.maximumSize, at: now)
        try scope.check(transaction.environment)
        return transaction
    }

    private func renewal(
        _ jws: String?, status: Int?, of transaction: Transaction?, in scope: Scope, at now: Date
    ) async throws -> [OriginalTransaction.Key: RenewalFacts] {
        guard let jws else { return [:] }
        let info = try await transactions.verifyRenewalInfo(jws, maximumSize: Self.maximumSize, at: now)
        try scope.check(info.environment)
        if let transaction, transaction.originalID != info.originalTransactionID {
            throw ReceiptRejection(.malformed, "renewal info of another purchase")
        }
        let original = OriginalTransaction.Key(
            app: scope.app, environment: info.environment, originalID: info.originalTransactionID)
        return [original: info.facts.with(status: status)]
    }

    private func check(_ jws: String?, in scope: Scope, _ catalog: Catalog, at now: Date) async throws {
        guard let jws else { return }
        let transaction = try await transactions.appTransaction(jws, maximumSize: Self.maximumSize, at: now)
        try scope.check(transaction.environment)
        guard transaction.app == scope.app else { throw ReceiptRejection(.bundleID, "not the app of the notification") }
        try catalog.check(appAppleID: transaction.appAppleID, of: transaction.app, in: transaction.environment)
    }
}

extension NotificationPayload.Subject {
    fileprivate var holdsSignedData: Bool {
        signedTransactionInfo != nil || signedRenewalInfo != nil || signedAppTransactionInfo != nil
    }
}
