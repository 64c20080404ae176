import InAppPurchase

/// Writes transactions as JSON and reads them back. The same text is the same transaction, so what was read lately is
/// not read again: reading is most of what an account's entitlements cost.
struct FactsCodec: Sendable {
    /// The histories of a few of the longest accounts, or of some thousand others; about 1.5 KB each.
    static let maximumCached = 16_384

    private let cache = BoundedCache<String, Transaction>(limit: maximumCached)

    func encode(_ transaction: Transaction) throws -> String {
        let text = try JSON.encode(transaction)
        // It is read next, for the entitlements of the account.
        _ = cache.value(for: text) { transaction }
        return text
    }

    func decode(_ text: String) throws -> Transaction {
        try cache.value(for: text) { try JSON.decode(Transaction.self, from: text) }
    }
}
