import Foundation
import QuartermasterClient

/// A purchase as its row shows it.
struct PurchaseRow: Identifiable, Equatable {
    var id: String
    var title: String
    var detail: String
    /// The transaction that a refund can be asked for.
    var refundable: UInt64?
}

extension ShopState {
    /// Purchases with the names that the store has for them.
    func rows(of purchases: [ShopPurchase], _ dates: Date.FormatStyle = .day) -> [PurchaseRow] {
        purchases.map { purchase in
            let name = products.first { $0.id == purchase.product }?.displayName ?? purchase.product
            let parts = [purchase.purchasedAt.formatted(dates), purchase.priceText, purchase.stateText]
            return PurchaseRow(
                id: purchase.id, title: purchase.quantity > 1 ? "\(purchase.quantity) × \(name)" : name,
                detail: parts.compactMap(\.self).joined(separator: ", "),
                refundable: purchase.state == .bought ? UInt64(purchase.transactionID) : nil)
        }
    }
}

extension ShopPurchase {
    fileprivate var priceText: String? {
        guard let price, let currency else { return nil }
        return (Decimal(price) / 1_000).formatted(.currency(code: currency))
    }

    fileprivate var stateText: String? {
        switch state {
        case .refunded: "refunded"
        case .partlyRefunded: "partly refunded"
        case .upgraded: "replaced by another subscription"
        case .transferred: "in another account"
        default: nil
        }
    }
}
