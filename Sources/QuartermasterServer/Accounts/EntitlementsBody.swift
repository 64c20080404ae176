import Foundation
import InAppPurchase
import Ledger

/// All entitlements of an account, and its balances.
struct EntitlementsBody: Encodable {
    struct Restored: Encodable {
        var receipt: String
        var status: ReceiptAnswer.Status
        var reason: String?
        var remedy: TransferRemedy?
        var finish: Bool
        var provisionalUntil: Date?
    }

    var account: String
    var at: Date
    var entitlements: [EntitlementBody]
    /// Omitted if no app is named and there are several.
    var balances: Credits?
    var receipts: [Restored]?
}
