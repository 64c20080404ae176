import InAppPurchase

/// The end of a page of transactions: the last change in it.
struct Revision: Comparable {
    var change: Int
    var id: TransactionID

    var text: String { "\(change)_\(id)" }

    init(_ purchase: StoredPurchase) {
        change = purchase.change ?? 0
        id = purchase.transaction.id
    }

    /// The revision in a call; `nil` if the call has none.
    ///
    /// - Throws: ``ServerAPIError/requestRevision``.
    init?(_ call: ServerAPICall) throws {
        guard let text = call.query("revision"), !text.isEmpty else { return nil }
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(\.isDecimal), let change = parts.first.flatMap({ Int($0) }),
            let id = parts.last
        else { throw ServerAPIError.requestRevision }
        self.change = change
        self.id = TransactionID(stored: String(id))
    }

    static func < (left: Revision, right: Revision) -> Bool { (left.change, left.id) < (right.change, right.id) }
}
