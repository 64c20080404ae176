import Foundation
import InAppPurchase

/// The decision on the products of one history, by the purchases that an account owns.
protocol HistoryDecider: Sendable {
    /// - Parameter renewals: as in ``/InAppPurchase/PurchaseHistory/renewals``.
    /// - Returns: `nil` if it cannot tell, as a standing for a date in the past.
    func access(to product: ProductID, renewals: [TransactionID: RenewalFacts], at date: Date) -> Access?
    func runs(of product: ProductID) -> [DateInterval]
}
