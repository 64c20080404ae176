import InAppPurchase
import Ledger

/// A page of a player's purchases, newest first.
struct PurchaseListBody: Encodable {
    var purchases: [PurchaseBody]
    /// Omitted on the last page.
    var next: String?

    init(_ records: [RecordedTransaction], of account: AccountID, limit: Int) {
        purchases = records.map { PurchaseBody($0, of: account) }
        guard records.count == limit, let last = records.last?.transaction else { return }
        next = PurchasePosition(date: last.purchaseDate, transaction: last.id).text
    }
}
