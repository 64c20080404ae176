package import InAppPurchase

// An identifier is in a column as its plain text. A new type of identifier is named here to be stored.
extension BundleID: SQLConvertible {}
extension BundleName: SQLConvertible {}
extension Currency: SQLConvertible {}
extension ProductID: SQLConvertible {}
extension TransactionID: SQLConvertible {}

extension Identifier where Self: SQLConvertible {
    package var sqlValue: SQLValue { text.sqlValue }

    package init?(sqlValue: SQLValue) {
        guard let text = String(sqlValue: sqlValue) else { return nil }
        self.init(stored: text)
    }
}
