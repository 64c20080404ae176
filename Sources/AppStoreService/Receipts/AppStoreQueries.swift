package import AppStore
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP
package import StoreClient

/// Asks the App Store about receipts that this server cannot verify by itself, or that are too old for it.
struct AppStoreQueries: Sendable {
    /// The age, in seconds, from which on a signed transaction may hide later refunds.
    static let freshness: TimeInterval = 86_400
    /// Refunds come 20 on a page, the first one first: no honest customer has more.
    static let maximumRefundPages = 10

    let verifier: LocalVerifier
    let verifyReceipt: VerifyReceiptClient
    let api: AppStoreServerClient
    let keys: StoreKeys
    /// The shared secret of an app.
    let secret: @Sendable (BundleID) -> String?

    /// Asks the App Store about a pending receipt.
    ///
    /// - Parameter app: the app that the client named, or the only one that is served.
    func result(
        on receipt: Receipt, of app: BundleID?, within time: Duration, in context: RecordingContext
    ) async -> VerificationResult<AppStoreAnswer> {
        switch receipt.kind {
        case .appReceipt: await appReceipt(receipt, within: time, in: context)
        case .transactionReceipt: await unsigned(receipt, within: time, in: context)
        case .transactionID:
            await transaction(TransactionID(stored: receipt.content), of: app, within: time, at: context.date)
        case .signedTransaction: await signedTransaction(receipt, within: time, in: context)
        }
    }

    /// Whether a transaction that is new to this server was signed so long ago that the App Store should be asked for
    /// its current state.
    func isStale(_ transaction: Transaction, at now: Date) async -> Bool {
        guard now.timeIntervalSince(transaction.signedDate) > Self.freshness else { return false }
        return await keys.key(for: transaction.app) != nil
    }

    /// The refunded transactions of the same original transaction, as far as the App Store tells them in time.
    func refunds(of transaction: Transaction, within time: Duration, at now: Date) async -> [Transaction] {
        guard transaction.environment != .xcode, let key = await keys.key(for: transaction.app) else { return [] }
        let call = api.asking(for: key, in: transaction.environment, within: time, at: now)
        let history = try? await call.refunds(of: transaction.id, upTo: Self.maximumRefundPages)
        return (history?.answer.receipt.transactions ?? []).filter {
            $0.originalTransactionKey == transaction.originalTransactionKey && $0.revocation != nil
        }
    }

    /// The App Store's answer, and what the bytes prove by themselves. A receipt whose signature this server cannot
    /// verify proves nothing by itself: its purchases are as good, but transfer none from another account.
    private func appReceipt(
        _ receipt: Receipt, within time: Duration, in context: RecordingContext
    ) async -> VerificationResult<AppStoreAnswer> {
        let result = await unsigned(receipt, within: time, in: context)
        guard case .verified(var answer) = result else { return result }
        do {
            answer.receipt.evidence = try await verifier.result(on: receipt, in: context).get().evidence
        } catch is ReceiptRejection {
            answer.receipt.evidence = nil
        } catch {
            return .unavailable(after: error)
        }
        return .verified(answer)
    }

    /// Asks `verifyReceipt`. The shared secret is that of the app which the receipt itself names, whatever the client
    /// says: the App Store knows a receipt only with its own app's secret. A receipt that names none is of the only
    /// app, if there is only one.
    private func unsigned(
        _ receipt: Receipt, within time: Duration, in context: RecordingContext
    ) async -> VerificationResult<AppStoreAnswer> {
        let apps = context.catalog.apps
        do throws(ReceiptRejection) {
            let named = try UnverifiedReceipt(base64: receipt.content, kind: receipt.kind).bundleID
            let app = named ?? (apps.count == 1 ? apps.first?.bundleID : nil)
            return await verifyReceipt.verify(
                receipt.content, secret: app.flatMap(secret), within: time, at: context.date)
        } catch {
            return .rejected(error)
        }
    }

    private func transaction(
        _ id: TransactionID, of app: BundleID?, within time: Duration, at now: Date
    ) async -> VerificationResult<AppStoreAnswer> {
        guard let app, let key = await keys.key(for: app) else { return .rejected(ReceiptRejection(.unsupported)) }
        do throws(AppStoreServerError) {
            return .verified(try await api.asking(for: key, within: time, at: now).behindOthers().transaction(id))
        } catch {
            // The purchase may be of this minute, and the customer has no other proof of it.
            guard case .rejected(let rejection) = error.result else { return error.result }
            return .unavailable(Unavailability(.notFound, rejection.detail))
        }
    }

    /// The copy that was sent and the App Store's current one; the newer wins. If the App Store does not know the
    /// transaction any more, as it forgets purchases of the sandbox, the signature alone counts.
    private func signedTransaction(
        _ receipt: Receipt, within time: Duration, in context: RecordingContext
    ) async -> VerificationResult<AppStoreAnswer> {
        let local: VerifiedReceipt
        do {
            local = try await verifier.result(on: receipt, in: context).get()
        } catch let rejection as ReceiptRejection {
            return .rejected(rejection)
        } catch {
            return .unavailable(after: error)
        }
        guard let shown = local.transactions.first else { return .rejected(ReceiptRejection(.malformed)) }
        var answer = AppStoreAnswer(receipt: local, bundleID: shown.app, environment: shown.environment)
        guard let key = await keys.key(for: shown.app) else { return .verified(answer) }
        do throws(AppStoreServerError) {
            let call = api.asking(for: key, in: shown.environment, within: time, at: context.date)
            answer.receipt.transactions += try await call.transaction(shown.id).receipt.transactions
            return .verified(answer)
        } catch {
            guard case .unavailable(let trouble) = error.result else { return .verified(answer) }
            return .unavailable(trouble)
        }
    }

    /// Asks `verifyReceipt` about the receipt in a version 1 notification. An answer about another app proves nothing
    /// of the notification.
    func result(
        on notification: AppStoreNotification, within time: Duration, at now: Date
    ) async -> VerificationResult<VerifiedReceipt> {
        guard let kind = Receipt.Kind(of: notification.content) else { return .rejected(ReceiptRejection(.malformed)) }
        do throws(ReceiptRejection) {
            // As for any other receipt: the secret of the app that the receipt itself names.
            let app = try UnverifiedReceipt(base64: notification.content, kind: kind).bundleID ?? notification.app
            let result = await verifyReceipt.verify(
                notification.content, secret: app.flatMap(secret), within: time, at: now)
            if case .verified(let answer) = result, answer.bundleID != notification.app {
                throw ReceiptRejection(.bundleID, "not the app of the notification")
            }
            return result.map(\.receipt)
        } catch {
            return .rejected(error)
        }
    }
}

extension AppStoreServerError {
    /// The result of a question about a transaction. Only `notFound`, and the refusal of the ID as invalid, say that
    /// the App Store does not know it; any other refused request says nothing about it.
    package var result: VerificationResult<AppStoreAnswer> {
        switch self {
        case .notFound, .refused(.invalidTransactionID):
            .rejected(ReceiptRejection(.notFound, "the App Store knows no such transaction"))
        case .refused(let code): .unavailable(Unavailability(.badRequest, "\(code)"))
        case .unavailable(let trouble): .unavailable(trouble)
        }
    }
}

extension VerificationResult<AppStoreAnswer> {
    /// The result if a verifier throws another error than a rejection.
    fileprivate static func unavailable(after error: any Error) -> Self {
        let clock = (error as? VerifierUnavailable).flatMap { VerificationUnavailable($0).clockTrouble }
        return .unavailable(clock ?? Unavailability(.temporary, "too many signers that are not known wait"))
    }
}
