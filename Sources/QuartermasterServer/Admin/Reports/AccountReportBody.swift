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
    var refunds: RefundShareBody
    var transactions: [TransactionBody]
    var lines: [OriginalTransactionBody]
    var appTransactions: [AppTransactionBody]
    var receipts: [ReceiptFactsBody]
    var spends: [SpentBody]
    var adjustments: [AdjustmentBody]
    var postings: [PostingBody]
    var grants: [GivenProductBody]
    /// The names of the lists that have older entries than those shown.
    var truncated: [String]
    /// The value of `after` for the page with older purchases; omitted if there are none.
    var next: String?

    init(_ report: AccountReport) {
        account = report.facts.account.text
        createdAt = report.facts.createdAt
        blockedAt = report.facts.blockedAt
        testerSince = report.facts.testerSince
        betaSince = report.facts.betaSince
        sessions = report.sessions.entries.map(SessionBody.init)
        entitlements = report.entitlements.map(EntitlementBody.init)
        balances = report.balances.map(BalanceBody.init).sorted { $0.order < $1.order }
        refunds = RefundShareBody(report)
        transactions = report.transactions.entries.map(TransactionBody.init)
        lines = report.originalTransactions.map { OriginalTransactionBody($0, report.renewals[$0.key]) }
        appTransactions = report.appTransactions.entries.map(AppTransactionBody.init)
        receipts = report.receipts.entries.map(ReceiptFactsBody.init)
        spends = report.spends.entries.map(SpentBody.init)
        adjustments = report.adjustments.entries.map(AdjustmentBody.init)
        postings = report.postings.entries.map(PostingBody.init)
        next = report.next?.text
        grants = report.grants.entries.map(GivenProductBody.init)
        truncated = [
            ("sessions", report.sessions.isTruncated), ("transactions", report.transactions.isTruncated),
            ("appTransactions", report.appTransactions.isTruncated), ("receipts", report.receipts.isTruncated),
            ("spends", report.spends.isTruncated),
            ("adjustments", report.adjustments.isTruncated), ("postings", report.postings.isTruncated),
            ("grants", report.grants.isTruncated),
        ].filter(\.1).map(\.0)
    }
}
