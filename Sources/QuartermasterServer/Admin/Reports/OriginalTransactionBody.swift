import Foundation
import InAppPurchase

struct OriginalTransactionBody: Encodable {
    struct Move: Encodable {
        var from: String
        var to: String
        var at: Date
        /// `payment` if the new owner paid for a period; omitted for other transfers.
        var by: String?
    }

    var app: BundleID
    var environment: Environment
    var originalID: TransactionID
    var owner: String
    var basis: OriginalTransaction.Basis
    /// The transfers, oldest first.
    var moves: [Move]
    /// Whether more accounts have paid for it than players have who change accounts; omitted if not.
    var sharing: Bool?
    /// Omitted if the App Store said nothing about a renewal.
    var renewal: RenewalBody?

    init(_ line: OriginalTransaction, _ renewal: RenewalFacts? = nil) {
        app = line.key.app
        environment = line.key.environment
        originalID = line.key.originalID
        owner = line.owner.text
        basis = line.basis
        moves = line.transfers.map {
            Move(from: $0.from.text, to: $0.to.text, at: $0.date, by: $0.isPayment ? "payment" : nil)
        }
        sharing = line.isShared ? true : nil
        self.renewal = renewal.map(RenewalBody.init)
    }
}
