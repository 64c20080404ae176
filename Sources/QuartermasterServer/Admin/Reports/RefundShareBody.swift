import InAppPurchase
import Ledger

/// How many of an account's purchases in Production the store refunded, wholly or in part, of those that the report has:
/// the newest ones. What Family Sharing gave is none, and a restored copy is the same purchase.
struct RefundShareBody: Encodable {
    var purchases: Int
    var refunded: Int

    init(_ report: AccountReport) {
        let bought = report.transactions.entries.map(\.transaction).filter {
            $0.environment == .production && $0.ownershipType == .purchased && !$0.isRestoredCopy
        }
        purchases = bought.count
        refunded = bought.count(where: \.isRefunded)
    }

    /// The share in words.
    var words: String { purchases == 0 ? "no purchases" : "\(refunded) of \(purchases) purchases" }
}
