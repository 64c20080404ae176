import Foundation
import InAppPurchase
import Ledger

/// A row of an original transaction, whose transfers are in rows of their own.
struct OriginalTransactionRow {
    var original: OriginalTransaction
    /// The number of its transfers that count.
    var transfers: Int

    /// - Parameter row: has the columns of the owner, and `moved`.
    init(_ row: SQLRow, _ key: OriginalTransaction.Key) throws {
        original = try OriginalTransaction(
            key: key, owner: row.account("owner"),
            basis: OriginalTransaction.Basis(rawValue: row["basis"]) ?? .presented,
            ownerEvidenceDate: row.dateIfAny("ownerEvidenceAt"))
        original.history = try (row["owners"] as Data?).map { try OwnershipHistory($0) }
        transfers = try row["moved"]
    }
}
