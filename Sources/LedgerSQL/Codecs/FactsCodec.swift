import Basics
import InAppPurchase

/// Encodes transactions as JSON and decodes them. Equal texts are equal transactions, so decoded ones are cached:
/// decoding is most of the cost of an account's entitlements.
struct FactsCodec: Sendable {
    /// The maximum number of cached transactions: the histories of a few of the longest accounts, or of some thousand
    /// others; about 1.5 KB each.
    static let maximumCached = 16_384

    private let cache = BoundedCache<String, Transaction>(limit: maximumCached)

    func encode(_ transaction: Transaction) -> String {
        var json = JSONWriter()
        transaction.write(to: &json)
        let text = json.text
        // Cached, because the account's entitlements read it next.
        _ = cache.value(for: text) { transaction }
        return text
    }

    func decode(_ text: String) throws -> Transaction {
        try cache.value(for: text) { try JSON.decode(Transaction.self, from: text) }
    }
}
