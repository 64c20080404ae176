import Foundation
import InAppPurchase

/// The purchase that is the latest of a product in one role of the account.
struct PurchaseStamp: Encodable, Hashable, Sendable {
    var date: Date
    var id: TransactionID
    /// See ``/InAppPurchase/Transaction/provenType``.
    var type: ProductType?

    init(_ transaction: Transaction) {
        date = transaction.purchaseDate
        id = transaction.id
        type = transaction.provenType
    }

    /// Whether it comes after another one; of two at one moment the one with the smaller ID.
    func isLater(than other: Self) -> Bool { (date, other.id) > (other.date, id) }
}

/// The form in which the ledger stores it.
extension PurchaseStamp {
    init(from reader: inout CompactReader) throws {
        var has = try reader.readFlags()
        date = try reader.readDate()
        id = try reader.readIdentifier()
        type = has.next() ? ProductType(rawValue: try reader.readText()) : nil
    }

    func write(to writer: inout CompactWriter) {
        writer.write([type != nil])
        writer.write(date)
        writer.write(id)
        if let type { writer.write(type.rawValue) }
    }
}
