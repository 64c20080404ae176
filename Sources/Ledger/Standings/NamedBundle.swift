import Foundation
import InAppPurchase

/// A bundle that a product named at purchase, with the first purchase that did.
struct NamedBundle: Encodable, Hashable, Sendable {
    var bundle: BundleName
    var date: Date
    var id: TransactionID
    /// The place among the purchase's bundles.
    var place: Int

    var order: (Date, TransactionID, Int) { (date, id, place) }
}

/// The form in which the ledger stores it.
extension NamedBundle {
    init(from reader: inout CompactReader) throws {
        bundle = try reader.readIdentifier()
        date = try reader.readDate()
        id = try reader.readIdentifier()
        place = try reader.readNumber()
    }

    func write(to writer: inout CompactWriter) {
        writer.write(bundle)
        writer.write(date)
        writer.write(id)
        writer.write(place)
    }
}
