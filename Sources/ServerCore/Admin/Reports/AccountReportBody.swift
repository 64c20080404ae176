package import Foundation
import InAppPurchase
package import Ledger
import ServerHTTP

/// An account report, as `GET /admin/v1/accounts/{account}` returns it and `accounts show --json` prints it. All lists
/// have the newest entry first.
package struct AccountReportBody: Codable {
    package var account: String
    package var createdAt: Date
    /// Omitted if none is known.
    package var externalID: String?
    /// Omitted if the account is not blocked.
    package var blockedAt: Date?
    /// Omitted if no administrator made the account a tester.
    package var testerSince: Date?
    /// Omitted if the account is not offered versions on the beta channel.
    package var betaSince: Date?
    package var sessions: [SessionBody]
    package var entitlements: [EntitlementBody]
    package var balances: [BalanceBody]
    package var refunds: RefundShareBody
    package var transactions: [TransactionBody]
    package var lines: [OriginalTransactionBody]
    package var contested: [ContestedPurchaseBody]
    var appTransactions: [AppTransactionBody]
    package var receipts: [ReceiptFactsBody]
    package var spends: [SpentBody]
    var adjustments: [AdjustmentBody]
    package var postings: [PostingBody]
    package var grants: [GivenProductBody]
    var notes: [NoteBody]
    /// The names of the lists that have older entries than those shown.
    package var truncated: [String]
    /// The value of `after` for the page with older purchases; omitted if there are none.
    package var next: String?

    package init(_ report: AccountReport) {
        account = report.facts.account.text
        createdAt = report.facts.createdAt
        externalID = report.facts.externalID?.text
        blockedAt = report.facts.blockedAt
        testerSince = report.facts.testerSince
        betaSince = report.facts.betaSince
        sessions = report.sessions.entries.map(SessionBody.init)
        entitlements = report.entitlements.map(EntitlementBody.init)
        balances = report.balances.map(BalanceBody.init).sorted { $0.order < $1.order }
        refunds = RefundShareBody(report)
        transactions = report.transactions.entries.map(TransactionBody.init)
        lines = report.originalTransactions.map { OriginalTransactionBody($0, report.renewals[$0.key]) }
        contested = report.contested.map(ContestedPurchaseBody.init)
        appTransactions = report.appTransactions.entries.map(AppTransactionBody.init)
        receipts = report.receipts.entries.map(ReceiptFactsBody.init)
        spends = report.spends.entries.map(SpentBody.init)
        adjustments = report.adjustments.entries.map(AdjustmentBody.init)
        postings = report.postings.entries.map(PostingBody.init)
        next = report.next?.text
        grants = report.grants.entries.map(GivenProductBody.init)
        notes = report.notes.map(NoteBody.init)
        truncated = [
            ("sessions", report.sessions.isTruncated), ("transactions", report.transactions.isTruncated),
            ("appTransactions", report.appTransactions.isTruncated), ("receipts", report.receipts.isTruncated),
            ("spends", report.spends.isTruncated),
            ("adjustments", report.adjustments.isTruncated), ("postings", report.postings.isTruncated),
            ("grants", report.grants.isTruncated),
        ].filter(\.1).map(\.0)
    }
}

struct AdjustmentBody: Codable {
    var app: BundleID
    var environment: Environment
    var currency: Currency
    var amount: Int
    var balance: Int
    var idempotencyKey: String
    var actor: String
    var reason: String
    var at: Date

    init(_ recorded: RecordedAdjustment) {
        let adjustment = recorded.adjustment
        app = adjustment.scope.app
        environment = adjustment.scope.environment
        currency = adjustment.currency
        amount = adjustment.amount
        balance = recorded.balance
        idempotencyKey = adjustment.idempotencyKey
        actor = recorded.actor
        reason = recorded.reason
        at = recorded.date
    }
}

/// A signed app transaction that an account sent.
struct AppTransactionBody: Codable {
    var app: BundleID
    var environment: InAppPurchase.Environment
    /// Omitted if Apple gave it none.
    var id: String?
    var originalAppVersion: String
    /// The version that was installed when it was signed; omitted if it states none.
    var appVersion: String?
    /// The App Store's number of that version; omitted in the sandbox.
    var versionExternalID: Int?
    var originalPurchaseDate: Date
    var signedDate: Date
    var shownAt: Date
    var isFirst: Bool

    init(_ shown: ShownAppTransaction) {
        app = shown.transaction.app
        environment = shown.transaction.environment
        id = shown.transaction.id
        originalAppVersion = shown.transaction.originalAppVersion
        appVersion = shown.transaction.appVersion?.text
        versionExternalID = shown.transaction.appVersion?.externalID
        originalPurchaseDate = shown.transaction.originalPurchaseDate
        signedDate = shown.transaction.signedDate
        shownAt = shown.date
        isFirst = shown.isFirst
    }
}

package struct BalanceBody: Codable {
    var app: BundleID
    var environment: Environment
    var balances: Credits

    init(scope: Scope, balances: Credits) {
        app = scope.app
        environment = scope.environment
        self.balances = balances
    }

    var order: (BundleID, String) { (app, environment.rawValue) }
}

/// A product that an administrator gave without a purchase.
package struct GivenProductBody: Codable {
    var grant: String
    var app: BundleID
    var environment: Environment
    var product: ProductID
    /// Omitted if the access does not end.
    var until: Date?
    /// Omitted if it was not taken back.
    var revokedAt: Date?
    var idempotencyKey: String
    var actor: String
    var reason: String
    var at: Date

    init(_ recorded: RecordedGrant) {
        grant = recorded.grant.id
        app = recorded.grant.scope.app
        environment = recorded.grant.scope.environment
        product = recorded.grant.product
        until = recorded.grant.end
        revokedAt = recorded.revokedAt
        idempotencyKey = recorded.grant.idempotencyKey
        actor = recorded.actor
        reason = recorded.reason
        at = recorded.date
    }
}

/// A note on an account.
struct NoteBody: Codable {
    var note: String
    var text: String
    var actor: String
    var at: Date

    init(_ note: AccountNote) {
        self.note = note.id
        text = note.text
        actor = note.actor
        at = note.date
    }
}

package struct PostingBody: Codable {
    var app: BundleID
    var environment: Environment
    var currency: Currency
    var amount: Int
    var kind: String
    var product: ProductID?
    var cause: String?
    var at: Date

    init(_ posting: Posting) {
        app = posting.scope.app
        environment = posting.scope.environment
        currency = posting.currency
        amount = posting.amount
        kind = posting.kind.rawValue
        product = posting.product
        cause = posting.cause
        at = posting.date
    }
}

package struct SessionBody: Codable {
    var openedAt: Date
    var closedAt: Date?

    init(_ session: AccountReport.Session) {
        openedAt = session.openedAt
        closedAt = session.closedAt
    }
}

package struct SpentBody: Codable {
    var app: BundleID
    var environment: Environment
    var currency: Currency
    var amount: Int
    var balance: Int
    var idempotencyKey: String
    var at: Date

    init(_ recorded: RecordedSpend) {
        let spend = recorded.spend
        app = spend.scope.app
        environment = spend.scope.environment
        currency = spend.currency
        amount = spend.amount
        balance = recorded.balance
        idempotencyKey = spend.idempotencyKey
        at = recorded.date
    }
}

/// The number of an account's purchases in Production, and of those that the store refunded, wholly or in part, among
/// the newest purchases, which the report has. What Family Sharing gave does not count, and a restored copy is the same
/// purchase.
package struct RefundShareBody: Codable {
    package var purchases: Int
    package var refunded: Int

    package init(_ report: AccountReport) {
        let bought = report.transactions.entries.uniquePurchases.map(\.transaction).filter {
            $0.environment == .production && $0.ownershipType == .purchased && !$0.isRestoredCopy
        }
        purchases = bought.count
        refunded = bought.count(where: \.isRefunded)
    }

    /// The share in words.
    package var words: String { purchases == 0 ? "nothing bought" : "\(refunded) of \(purchases) purchases" }
}

/// A purchase that an account's app sent, and that another account has.
package struct ContestedPurchaseBody: Codable {
    var id: TransactionID
    var originalID: TransactionID
    var app: BundleID
    var environment: InAppPurchase.Environment
    var product: ProductID
    var purchaseDate: Date
    /// The account that has it.
    package var owner: String
    /// The way out that the app was told; omitted if there was none.
    var remedy: TransferRemedy?
    var sentAt: Date

    init(_ purchase: ContestedPurchase) {
        let transaction = purchase.record.transaction
        id = transaction.id
        originalID = transaction.originalID
        app = transaction.app
        environment = transaction.environment
        product = transaction.productID
        purchaseDate = transaction.purchaseDate
        owner = purchase.record.owner.text
        remedy = purchase.remedy
        sentAt = purchase.sentAt
    }
}
