import InAppPurchase

extension Credits {
    /// The amounts by the currency's name, as an audit row has them.
    var auditContent: [String: JSONValue] { reduce(into: [:]) { $0[$1.key.text] = .integer($1.value) } }
}
