import Foundation
import InAppPurchase

/// An act that a test planned: it happens by itself when its time comes.
struct PlannedAct: Codable, Sendable {
    /// The subscription's original transaction.
    var original: TransactionID
    /// The name in the path of the act's route: `price-increase`.
    var name: String
    var date: Date
    /// The JSON body of its route; empty for none.
    var body: Data
}
