import Foundation
import InAppPurchase

extension ProductHandler {
    /// Calls the handler with purchases whose terms are not typed yet; those of another type are left out.
    ///
    /// - Returns: an answer for each product, the purchases that count for credits by the rule, and those whose
    ///   credits a refund takes back.
    static func decide(
        _ products: Set<ProductID>, purchases: [Purchase<Product>], renewals: [TransactionID: RenewalFacts],
        at date: Date
    ) -> HandlerResult {
        let own = purchases.compactMap { $0.typed(Self.self) }
        let history = PurchaseHistory(purchases: own, renewals: renewals)
        let answers = products.map { product in
            let entitlement = entitlement(to: product, given: history, at: date)
            return (
                product,
                HistoryAnswer(
                    entitlement: entitlement, followsTheRule: entitlement.credits == history.credits(of: product))
            )
        }
        let counted = history.purchases.filter { !$0.earnedCredits.isEmpty }.map(\.key)
        return HandlerResult(
            products: Dictionary(answers) { first, _ in first }, counted: counted,
            refunded: history.purchases.compactMap(\.refunded))
    }
}
