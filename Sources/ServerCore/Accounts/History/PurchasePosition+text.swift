import Foundation
import InAppPurchase
import Ledger
import ServerHTTP

extension PurchasePosition {
    /// The position as the app sends it back: milliseconds and transaction ID.
    package var text: String { "\(date.milliseconds)-\(transaction.text)" }

    /// Reads ``text``; `nil` for any other string.
    package init?(text: String) {
        let parts = text.split(separator: "-", maxSplits: 1)
        guard parts.count == 2, let milliseconds = Int(parts[0]),
            let transaction = try? TransactionID(checking: String(parts[1]))
        else { return nil }
        self.init(date: Date(milliseconds: milliseconds), transaction: transaction)
    }

    /// Reads the value of the parameter `after`.
    ///
    /// - Throws: 400 for a value that no page returned as `next`.
    package init(parameter: String) throws {
        guard let position = PurchasePosition(text: parameter) else { throw Problem.wrongPosition }
        self = position
    }
}

extension Problem {
    static let wrongPosition = Problem.invalidRequest("after: must be the next of a previous page")
}
