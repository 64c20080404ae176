import Foundation
import InAppPurchase

/// The credits of whole purchases: of subscriptions each period, of others each original transaction. What
/// an account has earned is the sum over its purchases, as long as its handlers follow the rule of
/// ``/InAppPurchase/PurchaseHistory/credits(of:)``.
struct CreditedPurchases {
    /// The largest amount of one purchase that sums are exact for; more means a quantity that no store sells. The
    /// credits of such an account are added up from all its purchases, with saturation.
    static let maximumAmount = 1 << 40

    private(set) var credits: [Scope: [ProductID: Credits]] = [:]
    /// The keys of the purchases that count.
    private(set) var counted: Set<Transaction.Key> = []
    private(set) var refunded: [Scope: [RefundedPurchase]] = [:]

    /// - Parameter purchases: each once.
    init(_ purchases: [RecordedTransaction], of account: AccountID) {
        for record in purchases where record.creditedTo == account && record.purchase != nil {
            if let purchase = Purchase(record) { add(purchase, in: record.scope) }
        }
    }

    private mutating func add(_ purchase: Purchase<Product>, in scope: Scope) {
        let (transaction, earned) = (purchase.transaction, purchase.earnedCredits)
        if let refunded = purchase.refunded { self.refunded[scope, default: []].append(refunded) }
        guard !earned.isEmpty else { return }
        counted.insert(purchase.key)
        credits[scope, default: [:]][transaction.productID, default: [:]].merge(earned) { $0.saturatingAdding($1) }
    }
}

extension RecordedTransaction {
    /// Whether its credits can be added up one purchase at a time.
    var hasPlainCredits: Bool {
        (terms?.credits ?? [:]).values.allSatisfy {
            $0.saturatingMultiplied(by: transaction.units) <= CreditedPurchases.maximumAmount
        }
    }
}
