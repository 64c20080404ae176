import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Names that are stored, sealed and hashed: a ledger has them for ever, whatever the Swift names become.
@Suite struct StoredNameTests {
    /// In the order of the source. A new kind becomes part of the trail's language for ever.
    static let auditKinds: Set<String> = [
        "account.created", "account.reissued", "account.blocked", "account.unblocked", "account.externalIDChanged",
        "note.added", "note.removed",
        "tester.added",
        "tester.removed", "beta.added", "beta.removed", "sandbox.reset", "session.opened", "session.closed",
        "sessions.revoked", "account.recoveryCodeRotated", "receipt.recorded", "receipt.unreadable",
        "receipt.postponed", "receipt.provisional", "receipt.settled", "receipt.retried", "receipt.presentedAgain",
        "notification.recorded", "notification.applied", "notification.testRequested", "consumption.consent",
        "consumption.finished", "line.moved", "line.lost", "transaction.finished", "renewal.extended",
        "renewals.extended", "appTransaction.fetched", "transaction.tokenSet",
        "terms.bound", "delivery.handedOut", "delivery.confirmed", "delivery.mismatch", "credits.posted",
        "credits.spent", "credits.adjusted", "entitlement.granted", "entitlement.revoked", "adminToken.created",
        "adminToken.revoked", "adminSession.ended", "product.added", "product.changed",
        "product.removed", "product.notChanged",
        "app.added", "app.changed", "app.removed", "app.notChanged", "catalog.replaced", "bundle.drafted",
        "bundle.published", "bundle.yanked", "bundle.restored", "bundle.promoted", "bundle.discarded",
        "bundle.notChanged", "balance.rebuilt", "keys.published", "content.erased", "trail.cut", "ledger.restored",
        "ledger.replaced", "ledger.notReplaced",
    ]

    @Test func `No kind of audit row is renamed`() {
        let now = Set(AuditEntry.Kind.allCases.map(\.rawValue))
        #expect(Self.auditKinds.subtracting(now) == [], "stored in ledgers, and no longer known")
        #expect(now.subtracting(Self.auditKinds) == [], "to be added here")
    }

    /// `ledger rebuild --check --json` prints these members.
    @Test func `Differences of a check are written with their documented members`() throws {
        let scope = Scope(app: "hangman", environment: .production)
        let difference = LedgerDifference(account: account(1), scope: scope, "balance", stored: "1", folded: "2")
        let members = try JSONDecoder().decode([String: JSONValue].self, from: JSONEncoder().encode(difference))
        #expect(Set(members.keys) == ["account", "app", "environment", "subject", "kept", "folded"])
        #expect(members["kept"] == .string("1"))
    }

    /// The names of a column, and whether the source knows one of them.
    typealias Names = (column: String, names: String, isKnown: @Sendable (String) -> Bool)

    static let columns: [Names] = [
        (
            "postings.kind", "credit refund spend adjustment forgiveness reset transfer correction starting",
            { Posting.Kind(rawValue: $0) != nil }
        ),
        (
            "receipts.kind", "signedTransaction appReceipt transactionReceipt transactionID",
            { Receipt.Kind(rawValue: $0) != nil }
        ),
        ("receipts.status", "pending verified rejected conflict", { ReceiptAnswer.Status(rawValue: $0) != nil }),
        (
            "receipts.rejection",
            "malformed signature chain expiredCertificate bundleID appAppleID environment notFound unsupported otherDevice",
            { ReceiptRejection.Reason(rawValue: $0) != nil }
        ),
        ("receiptBytes.kind", "pending rejected verified", { ReceiptBytesKind(rawValue: $0) != nil }),
        ("lines.basis", "token presented administrator", { OriginalTransaction.Basis(rawValue: $0) != nil }),
        ("storeTasks.kind", "finish setAccountToken", { StoreTask.Kind(rawValue: $0) != nil }),
        (
            "transaction.finished, transaction.tokenSet", "done refused tooLate withoutKey switchedOff",
            { StoreTask.Outcome(rawValue: $0) != nil }
        ),
        (
            "consumption.finished", "answered withoutConsent refused tooLate withoutKey",
            { ConsumptionRequest.Outcome(rawValue: $0) != nil }
        ),
        ("backfill", "receipts notifications done", { BackfillPosition.Phase(rawValue: $0) != nil }),
        ("adminTokens.role", "read write", { AdminToken.Role(rawValue: $0) != nil }),
        ("terms.ownership", "transfer keep", { Ownership(rawValue: $0) != nil }),
        ("terms.afterExpiry", "lock keep", { AfterExpiry(rawValue: $0) != nil }),
        ("terms.partialRefund", "keep revoke", { PartialRefund(rawValue: $0) != nil }),
        ("terms.refunds", "debt clamp", { RefundPolicy(rawValue: $0) != nil }),
        ("terms.trialCredits", "grant withhold", { TrialCredits(rawValue: $0) != nil }),
    ]

    @Test(arguments: columns.indices) func `No name that a column stores is renamed`(place: Int) throws {
        let (column, names, isKnown) = try #require(Self.columns.dropFirst(place).first)
        for name in names.split(separator: " ") { #expect(isKnown(String(name)), "\(column): \(name)") }
        #expect(!isKnown(names), "the check tells names apart")
    }
}
