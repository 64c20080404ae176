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
        for _ in 0..<(try reader.readCount()) { products.append(try CondensedProduct(from: &reader, in: id.scope)) }
        for _ in 0..<(try reader.readCount()) {
            let group = try reader.readText()
            guard let use = IntroductoryOffers.Use(rawValue: try reader.readText()) else { throw CompactError() }
            offers[group] = use
        }
        for _ in 0..<(try reader.readCount()) { renewing.append(try reader.readIdentifier()) }
        var has = try reader.readFlags()
        if has.next() {
            guard let handler = handler as? any CondensingHandler.Type else { throw CompactError() }
            standing = try handler.readStanding(from: &reader, decoder)
        }
        guard reader.isAtEnd else { throw CompactError() }
    }

    /// - Parameter encoder: for standings of handlers that have no compact form.
    package func write(to writer: inout CompactWriter, _ encoder: JSONEncoder) throws {
        writer.write(count: products.count)
        for product in products { product.write(to: &writer) }
        writer.write(count: offers.count)
        for (group, use) in offers.sorted(by: { $0.key < $1.key }) {
            writer.write(group)
            writer.write(use.rawValue)
        }
        writer.write(count: renewing.count)
        for original in renewing { writer.write(original) }
        writer.write([standing != nil])
        try standing?.write(to: &writer, encoder)
    }
}
