import InAppPurchase
import Ledger

/// How many of an account's purchases in Production the store refunded, wholly or in part, of those that the report has:
/// the newest ones.
struct RefundShareBody: Encodable {
    var purchases: Int
    var refunded: Int

    init(_ report: AccountReport) {
        let bought = report.transactions.entries.map(\.transaction).filter { $0.environment == .production }
        purchases = bought.count
        refunded = bought.count { $0.revocation != nil }
    }

    /// The share in words.
    var words: String { purchases == 0 ? "no purchases" : "\(refunded) of \(purchases) purchases" }
}
