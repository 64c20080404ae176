package import InAppPurchase

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
