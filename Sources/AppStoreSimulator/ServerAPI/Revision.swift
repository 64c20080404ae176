import InAppPurchase

/// Where a page of transactions ends: the last change that it has seen.
struct Revision: Comparable {
    var change: Int
    var id: TransactionID

    var text: String { "\(change)_\(id)" }

    init(_ purchase: StoredPurchase) {
        change = purchase.change ?? 0
        id = purchase.transaction.id
    }

    /// Nil where the call names none.
    ///
    /// - Throws: ``ServerAPIError/requestRevision``.
    init?(_ call: ServerAPICall) throws {
        guard let text = call.query("revision"), !text.isEmpty else { return nil }
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(\.isDecimal), let change = parts.first.flatMap({ Int($0) }),
            let id = parts.last
        else { throw ServerAPIError.requestRevision }
        self.change = change
        self.id = String(id)
    }

    static func < (left: Revision, right: Revision) -> Bool { (left.change, left.id) < (right.change, right.id) }
}
