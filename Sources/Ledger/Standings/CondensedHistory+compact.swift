package import Foundation
package import InAppPurchase

/// The form in which the ledger stores a condensed history, after its ID.
extension CondensedHistory {
    /// - Parameters:
    ///   - id: of the history, which was read just before.
    ///   - handler: that of the history; `nil` if its purchases have no terms.
    ///   - decoder: for standings of handlers that have no compact form.
    package init(
        from reader: inout CompactReader, of id: HistoryID, by handler: (any ProductHandler.Type)?,
        _ decoder: JSONDecoder
    ) throws {
        self.init()
        products = try reader.readArray { try CondensedProduct(from: &$0, in: id.scope) }
        for _ in 0..<(try reader.readCount()) {
            let group = try reader.readText()
            guard let use = IntroductoryOffers.Use(rawValue: try reader.readText()) else { throw CompactError() }
            offers[group] = use
        }
        renewing = try reader.readArray { try $0.readIdentifier() }
        var has = try reader.readFlags()
        if has.next() {
            guard let handler = handler as? any CondensingHandler.Type else { throw CompactError() }
            standing = try handler.readStanding(from: &reader, decoder)
        }
        guard reader.isAtEnd else { throw CompactError() }
    }

    /// - Parameter encoder: for standings of handlers that have no compact form.
    package func write(to writer: inout CompactWriter, _ encoder: JSONEncoder) throws {
        writer.write(products) { $1.write(to: &$0) }
        writer.write(offers.sorted { $0.key < $1.key }) { writer, offer in
            writer.write(offer.key)
            writer.write(offer.value.rawValue)
        }
        writer.write(renewing) { $0.write($1) }
        writer.write([standing != nil])
        try standing?.write(to: &writer, encoder)
    }
}
