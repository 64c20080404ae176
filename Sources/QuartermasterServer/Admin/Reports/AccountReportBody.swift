import Foundation
import InAppPurchase
import Ledger

/// An account report, as `GET /admin/v1/accounts/{account}` returns it and `accounts show --json` prints it. All lists
/// have the newest entry first.
struct AccountReportBody: Encodable {
    var account: String
    var createdAt: Date
    /// Omitted if the account is not blocked.
    var blockedAt: Date?
    /// Omitted if no administrator made the account a tester.
    var testerSince: Date?
    /// Omitted if the account is not offered versions on the beta channel.
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
    /// The names of the lists that have older entries than those shown.
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
