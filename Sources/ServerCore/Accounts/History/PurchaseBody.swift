import Foundation
import InAppPurchase
import Ledger
import ServerHTTP

/// A purchase, or a period of a subscription, as its player sees it.
struct PurchaseBody: Encodable {
    /// The fate of a purchase. Apps must expect others.
    enum State: String, Encodable {
        case bought
        case refunded
        case partlyRefunded
        /// Another product of the subscription group replaced it.
        case upgraded
        /// Another account has it now.
        case transferred
    }

    var transaction: TransactionID
    var originalTransaction: TransactionID
    var product: ProductID
    var quantity: Int
    var purchasedAt: Date
    /// The end of a subscription's period.
    var until: Date?
    /// The whole price, in thousandths of the currency; omitted if no receipt stated it.
    var price: Int?
    var currency: String?
    var ownershipType: Transaction.OwnershipType
    var state: State
    var refundedAt: Date?
    /// The share of a partial refund, in thousandths of a percent.
    var refundPercentage: Int?

    init(_ record: RecordedTransaction, of account: AccountID) {
        let bought = record.transaction
        transaction = bought.id.stated
        originalTransaction = bought.originalID.stated
        product = bought.productID
        quantity = bought.quantity
        purchasedAt = bought.purchaseDate
        until = bought.expirationDate
        price = bought.details?.price
        currency = bought.details?.currency
        ownershipType = bought.ownershipType
        state = State(record, of: account)
        refundedAt = bought.revocation?.date
        refundPercentage = bought.revocation?.percentage
    }
}

extension PurchaseBody.State {
    fileprivate init(_ record: RecordedTransaction, of account: AccountID) {
        let transaction = record.transaction
        self =
            if let revocation = transaction.revocation {
                revocation.share.isAll ? .refunded : .partlyRefunded
            } else if record.owner != account {
                .transferred
            } else if transaction.isUpgraded {
                .upgraded
            } else {
                .bought
            }
    }
}
