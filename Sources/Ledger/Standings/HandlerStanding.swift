import Foundation
import InAppPurchase

/// The standing of a history, whichever handler it is of.
protocol HandlerStanding: Encodable, Sendable {
    /// See ``/InAppPurchase/CondensingHandler``.
    func adding(_ purchase: Purchase<Product>) -> (any HandlerStanding)?
    func access(to product: ProductID, renewals: [TransactionID: RenewalFacts], at date: Date) -> Access?
    func runs(of product: ProductID) -> [DateInterval]
    /// - Parameter encoder: for a standing that has no compact form.
    func write(to writer: inout CompactWriter, _ encoder: JSONEncoder) throws
}
