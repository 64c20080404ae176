import InAppPurchase
import ServerCore

extension Transaction {
    /// The quantity and the price, and what is unusual about the payment; `nil` if nothing is known of them.
    var priceWords: String? {
        let hasSeats = details?.seats != nil
        let number = hasSeats ? "\(quantity) seats" : "× \(quantity)"
        let amount = hasSeats || quantity > 1 ? number : nil
        let price = details.flatMap { details in
            details.isTrial == true
                ? "free trial"
                : details.price.map { "\(Money.text($0)) \(details.currency ?? "")\(hasSeats ? " each" : "")" }
        }
        let refunded = details?.seats?.revoked.map { "\($0) seats refunded" }
        let commitment = details?.commitment.map { details in
            "payment \(details.period.map(String.init) ?? "?") of \(details.periods.map(String.init) ?? "?")"
        }
        let family = ownershipType == .familyShared ? "shared by the family" : nil
        let parts = [amount, price, refunded, commitment, family].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}
