import Foundation
import InAppPurchase

/// An act that a test planned: it happens by itself when its time comes.
struct PlannedAct: Codable, Sendable {
    /// The subscription's original transaction.
    var original: TransactionID
    /// As in the path of its route: `price-increase`.
    var name: String
    var date: Date
    /// The JSON body of its route; empty for none.
    var body: Data
}
