import Foundation
import InAppPurchase
import Ledger

/// The row of another transaction of the same original transaction, which a subquery selects as one string.
struct NeighbourRow {
    /// Separates the columns; in JSON, which comes last, it is escaped.
    private static let separator: Character = "\u{1F}"

    private let facts: String
    private var columns: TransactionColumns

    /// - Parameter isClaimed: whether it is a row of `transactions`.
    static func selection(_ table: String, isClaimed: Bool) -> String {
        guard isClaimed else { return "\(table).facts" }
        let columns = [
            "\(table).id", "CAST(\(table).purchasedAt AS TEXT)", "coalesce(CAST(\(table).expiresAt AS TEXT), '')",
            "\(table).product", "coalesce(\(table).purchaseFacts, \(table).facts)",
        ]
        return columns.joined(separator: " || '\(separator)' || ")
    }

    /// - Parameter columns: those of the transaction that it is selected with.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if the string has another form.
    init(_ text: String, of columns: TransactionColumns) throws {
        self.columns = columns
        let parts = text.split(separator: Self.separator, maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 5 else {
            facts = text
            return
        }
        guard let purchasedAt = Int(parts[1]) else { throw LedgerUnavailable("a transaction has no date") }
        self.columns.id = TransactionID(stored: String(parts[0]))
        self.columns.purchaseDate = Date(milliseconds: purchasedAt)
        self.columns.expirationDate = Int(parts[2]).map(Date.init(milliseconds:))
        self.columns.productID = ProductID(stored: String(parts[3]))
        facts = String(parts[4])
    }

    func transaction() throws -> Transaction { try FactsCodec.decodeUncached(facts, columns) }
}
