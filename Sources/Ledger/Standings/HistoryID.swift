package import InAppPurchase

/// The purchase history of an account's products: of one product, or of a group. Purchases without terms have no
/// handler; each of their products is a history of its own.
package struct HistoryID: Hashable, Sendable {
    /// The name of the history within an app and environment.
    package struct Name: Hashable, Encodable, Sendable {
        /// The type of all products in it; `nil` if the purchases have no terms.
        package var type: ProductType?
        /// The group; `nil` if the history is of a single product.
        package var group: String?
        /// The product; `nil` if the history is of a group.
        package var product: ProductID?
    }

    package var scope: Scope
    package var name: Name

    package init(scope: Scope, name: Name) {
        self.scope = scope
        self.name = name
    }

    init(of record: RecordedTransaction) {
        let key = record.terms?.historyKey
        self.init(
            scope: record.scope,
            name: Name(
                type: key?.type, group: key?.group, product: key == nil ? record.transaction.productID : key?.product))
    }

    /// A stable order.
    var order: (BundleID, String, String, String, String) {
        (scope.app, scope.environment.rawValue, name.type?.rawValue ?? "", name.group ?? "", name.product?.text ?? "")
    }
}

/// The form in which the ledger stores a history's ID. It is a key, so that one history has one form.
extension HistoryID {
    package init(from reader: inout CompactReader) throws {
        let (app, environment) = (try reader.readText(), try reader.readText())
        guard let environment = Environment(known: environment) else { throw CompactError() }
        var has = try reader.readFlags()
        let type = has.next() ? ProductType(rawValue: try reader.readText()) : nil
        let group = has.next() ? try reader.readText() : nil
        let product: ProductID? = has.next() ? try reader.readIdentifier() : nil
        self.init(
            scope: Scope(app: BundleID(stored: app), environment: environment),
            name: Name(type: type, group: group, product: product))
    }

    package func write(to writer: inout CompactWriter) {
        writer.write(scope.app)
        writer.write(scope.environment.rawValue)
        writer.write([name.type != nil, name.group != nil, name.product != nil])
        if let type = name.type { writer.write(type.rawValue) }
        if let group = name.group { writer.write(group) }
        if let product = name.product { writer.write(product) }
    }
}
