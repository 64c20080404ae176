import Foundation
import InAppPurchase

/// An account's dossier as `GET /admin/v1/accounts/{account}` answers it and `accounts show --json` prints it. All lists
/// have the newest first.
struct AccountReportBody: Encodable {
    var account: String
    var createdAt: Date
    /// Left out where it is not blocked.
    var blockedAt: Date?
    /// Left out where no administrator made it a tester.
    var testerSince: Date?
    /// Left out where it is not offered versions on the channel beta.
    var betaSince: Date?
    var sessions: [SessionBody]
    var entitlements: [EntitlementBody]
    var balances: [BalanceBody]
    var transactions: [TransactionBody]
    var lines: [OriginalTransactionBody]
    var receipts: [ReceiptFactsBody]
    var spends: [SpentBody]
    var adjustments: [AdjustmentBody]
    var postings: [PostingBody]
    /// The lists that have older entries than those shown.
    var truncated: [String]

    init(_ dossier: AccountReport) {
        account = dossier.facts.account.text
        createdAt = dossier.facts.createdAt
        blockedAt = dossier.facts.blockedAt
        testerSince = dossier.facts.testerSince
        betaSince = dossier.facts.betaSince
        sessions = dossier.sessions.entries.map(SessionBody.init)
        entitlements = dossier.entitlements.map(EntitlementBody.init)
        balances = dossier.balances.map(BalanceBody.init).sorted { $0.order < $1.order }
        transactions = dossier.transactions.entries.map(TransactionBody.init)
        lines = dossier.originalTransactions.map(OriginalTransactionBody.init)
        receipts = dossier.receipts.entries.map(ReceiptFactsBody.init)
        spends = dossier.spends.entries.map(SpentBody.init)
        adjustments = dossier.adjustments.entries.map(AdjustmentBody.init)
        postings = dossier.postings.entries.map(PostingBody.init)
        truncated = [
            ("sessions", dossier.sessions.isTruncated), ("transactions", dossier.transactions.isTruncated),
            ("receipts", dossier.receipts.isTruncated), ("spends", dossier.spends.isTruncated),
            ("adjustments", dossier.adjustments.isTruncated), ("postings", dossier.postings.isTruncated),
        ].filter(\.1).map(\.0)
    }
}

struct SessionBody: Encodable {
    var openedAt: Date
    var closedAt: Date?

    init(_ session: AccountReport.Session) {
        openedAt = session.openedAt
        closedAt = session.closedAt
    }
}

struct BalanceBody: Encodable {
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

struct TransactionBody: Encodable {
    var id: TransactionID
    var originalID: TransactionID
    var app: BundleID
    var environment: Environment
    var product: ProductID
    /// The store's word; app receipts do not have it.
    var productType: ProductType?
    var quantity: Int
    var purchaseDate: Date
    var originalPurchaseDate: Date?
    var expirationDate: Date?
    var revocationDate: Date?
    var revocationReason: Int?
    /// Of a partial refund, in thousandths of a percent.
    var revocationPercentage: Int?
    var isUpgraded: Bool
    var ownershipType: Transaction.OwnershipType
    var appAccountToken: String?
    var subscriptionGroupID: String?
    var signedDate: Date
    var owner: String
    var creditedTo: String
    /// The product as it was when the transaction was first recorded; left out while the catalog has none that fits.
    var terms: Product?

    init(_ record: RecordedTransaction) {
        let transaction = record.transaction
        id = transaction.id
        originalID = transaction.originalID
        app = transaction.app
        environment = transaction.environment
        product = transaction.productID
        productType = transaction.productType
        quantity = transaction.quantity
        purchaseDate = transaction.purchaseDate
        originalPurchaseDate = transaction.originalPurchaseDate
        expirationDate = transaction.expirationDate
        revocationDate = transaction.revocation?.date
        revocationReason = transaction.revocation?.reason
        revocationPercentage = transaction.revocation?.percentage
        isUpgraded = transaction.isUpgraded
        ownershipType = transaction.ownershipType
        appAccountToken = transaction.appAccountToken?.text
        subscriptionGroupID = transaction.subscriptionGroupID
        signedDate = transaction.signedDate
        owner = record.owner.text
        creditedTo = record.creditedTo.text
        terms = record.terms
    }
}

struct OriginalTransactionBody: Encodable {
    struct Move: Encodable {
        var from: String
        var to: String
        var at: Date
    }

    var app: BundleID
    var environment: Environment
    var originalID: TransactionID
    var owner: String
    var basis: OriginalTransaction.Basis
    /// Oldest first.
    var moves: [Move]

    init(_ line: OriginalTransaction) {
        app = line.key.app
        environment = line.key.environment
        originalID = line.key.originalID
        owner = line.owner.text
        basis = line.basis
        moves = line.transfers.map { Move(from: $0.from.text, to: $0.to.text, at: $0.date) }
    }
}
