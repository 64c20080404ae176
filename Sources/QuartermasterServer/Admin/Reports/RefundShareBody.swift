import InAppPurchase
import Ledger

/// The number of an account's purchases in Production, and of those that the store refunded, wholly or in part, among
/// the newest purchases, which the report has. What Family Sharing gave does not count, and a restored copy is the same
/// purchase.
struct RefundShareBody: Encodable {
    var purchases: Int
    var refunded: Int

    init(_ report: AccountReport) {
        let bought = report.transactions.entries.uniquePurchases.map(\.transaction).filter {
            $0.environment == .production && $0.ownershipType == .purchased && !$0.isRestoredCopy
        }
        purchases = bought.count
        refunded = bought.count(where: \.isRefunded)
    }

    /// The share in words.
    var words: String { purchases == 0 ? "no purchases" : "\(refunded) of \(purchases) purchases" }
}
