import Foundation
import HTTPTypes
package import InAppPurchase
package import Ledger
package import ServerHTTP

/// Fetches the app transaction of a player's customer from the store, for players whose app does not send it: it is
/// verified and recorded as if the account had sent it. So the player gets starting credits that wait for it, and
/// introductory offers can be signed for this customer.
package struct AppTransactionFetch: Sendable {
    /// The number of an account's app transactions that are looked at for the one that it has.
    private static let maximumKnown = 100

    package let ledger: any ReceiptLedger & SupportLedger & AuditLedger
    package let decisions: ServingContext
    package let store: any Store
    package let random: RandomBytes

    package init(
        ledger: any ReceiptLedger & SupportLedger & AuditLedger, decisions: ServingContext, store: any Store,
        random: @escaping RandomBytes
    ) {
        self.ledger = ledger
        self.decisions = decisions
        self.store = store
        self.random = random
    }

    /// Fetches the app transaction of the customer of a purchase, and records it for the account that owns the
    /// purchase; a dry run says what it is, and records nothing.
    ///
    /// - Throws: 403 for an app that the administrator's token is not for; 422 for a reason that is not possible;
    ///   ``/Ledger/LedgerRefusal`` for a purchase without an owner; 404 if the store has no app transaction; 409 if the
    ///   app has no key; 503 if the store does not answer; what the ledger throws.
    package func answer(
        about purchase: OriginalTransaction.Key, by administrator: Administrator, reason: String, isDryRun: Bool = false
    ) async throws -> any Encodable & Sendable {
        try administrator.require(purchase.app)
        let context = decisions.context
        guard let act = SupportAct(by: administrator.actor, reason: reason, at: context.date) else {
            throw Problem.wrongReason
        }
        let account = try await owner(of: purchase)
        let (receipt, verified, fetched) = try await fetch(purchase, for: account, in: context)
        guard !isDryRun else {
            let known = try await known(by: account, in: Scope(app: purchase.app, environment: purchase.environment))
            return DryRunBody(
                SupportChange(before: known.map(Self.members) ?? [:], after: Self.members(fetched)))
        }
        let answer = try await ledger.record(receipt, .success(verified), in: context)
        try await ledger.append(
            AuditEntry(
                .appTransactionFetched, by: act.actor, account: account, subject: purchase.originalID.text,
                content: Self.members(fetched).merging([
                    "app": .string(purchase.app.text), "environment": .string(purchase.environment.rawValue),
                    "reason": .string(act.reason), "receipt": .string(answer.receipt),
                ]) { $1 }, at: act.date))
        return FetchedAppTransactionBody(account: account.text, receipt: answer.receipt, fetched)
    }

    /// The account that owns a purchase.
    ///
    /// - Throws: ``/Ledger/LedgerRefusal/unknownOriginalTransaction`` if no account does.
    package func owner(of purchase: OriginalTransaction.Key) async throws -> AccountID {
        guard let record = try await ledger.newestTransaction(of: purchase) else {
            throw LedgerRefusal.unknownOriginalTransaction
        }
        return record.owner
    }

    /// The newest app transaction that the account has sent; `nil` if it has sent none.
    package func known(by account: AccountID, in scope: Scope) async throws -> AppTransaction? {
        let report = try await ledger.accountReport(
            of: account, after: nil, limit: Self.maximumKnown, in: decisions.context)
        return report?.appTransactions.entries.map(\.transaction).filter {
            $0.app == scope.app && $0.environment == scope.environment
        }.max { $0.signedDate < $1.signedDate }
    }

    private func fetch(
        _ purchase: OriginalTransaction.Key, for account: AccountID, in context: RecordingContext
    ) async throws -> (Receipt, VerifiedReceipt, AppTransaction) {
        let signed: String
        switch await store.signedAppTransaction(of: purchase, at: context.date) {
        case .signed(let content): signed = content
        case .none: throw Problem.noAppTransaction
        case .withoutKey: throw Problem(ExtensionAnswer.withoutKey)
        case .unavailable: throw Problem(ExtensionAnswer.unavailable)
        }
        guard let recognized = store.recognize(signed) else { throw Problem.noAppTransaction }
        let receipt = Receipt(
            id: Names.receipt(random, at: context.date), account: account, kind: recognized.kind, content: signed,
            digest: recognized.digest, textDigest: recognized.textDigest, bundleID: purchase.app)
        guard case .success(let verified) = try await store.verify(receipt, for: SendingDevice(), in: context),
            let fetched = verified.appTransaction
        else { throw Problem.noAppTransaction }
        return (receipt, verified, fetched)
    }

    private static func members(_ fetched: AppTransaction) -> [String: JSONValue] {
        [
            "appTransactionID": fetched.id.map { .string($0) } ?? .null,
            "originalAppVersion": .string(fetched.originalAppVersion),
            "originalPurchaseDate": .string(fetched.originalPurchaseDate.rfc3339),
        ]
    }
}

extension Problem {
    fileprivate static let noAppTransaction = Problem(
        .notFound, "not_found", "The App Store has no app transaction of this customer")
}

/// The app transaction that support fetched for an account.
struct FetchedAppTransactionBody: Encodable {
    var account: String
    /// The ID of the receipt that it is recorded as.
    var receipt: String
    var app: BundleID
    var environment: Environment
    /// Omitted if Apple gave it none.
    var appTransactionID: String?
    var originalAppVersion: String
    var originalPurchaseDate: Date

    init(account: String, receipt: String, _ fetched: AppTransaction) {
        self.account = account
        self.receipt = receipt
        app = fetched.app
        environment = fetched.environment
        appTransactionID = fetched.id
        originalAppVersion = fetched.originalAppVersion
        originalPurchaseDate = fetched.originalPurchaseDate
    }
}
