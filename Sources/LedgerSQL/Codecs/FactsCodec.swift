import InAppPurchase
import StrictJSON

/// Encodes transactions as JSON and decodes them. Equal strings and columns are equal transactions, so decoded ones are
/// cached.
struct FactsCodec: Sendable {
    /// The maximum number of cached transactions: the histories of a few of the longest accounts, or of some thousand
    /// others; about 1.5 KB each.
    static let maximumCached = 16_384

    private struct Stored: Hashable {
        var text: String
        /// `nil` if the string has all members.
        var columns: TransactionColumns?
    }

    private let cache = BoundedCache<Stored, Transaction>(limit: maximumCached)

    /// Encodes the whole transaction, for rows without its columns.
    func encode(_ transaction: Transaction) -> String {
        var json = JSONWriter()
        transaction.write(to: &json)
        let text = json.text
        // Cached, because the account's next request may read it.
        _ = cache.value(for: Stored(text: text)) { transaction }
        return text
    }

    /// Encodes the rest of a transaction beside the columns of its row.
    func encodeRest(of transaction: Transaction) -> String {
        var json = JSONWriter(capacity: 256)
        transaction.writeRest(to: &json)
        let text = json.text
        _ = cache.value(for: Stored(text: text, columns: TransactionColumns(transaction))) { transaction }
        return text
    }

    /// Decodes a whole transaction.
    func decode(_ text: String) throws -> Transaction {
        try cache.value(for: Stored(text: text)) { try JSON.decode(Transaction.self, from: text) }
    }

    /// Decodes the transaction of a row with its columns.
    func decode(_ text: String, _ columns: TransactionColumns) throws -> Transaction {
        if Self.isWhole(text) { return try decode(text) }
        return try cache.value(for: Stored(text: text, columns: columns)) { try Self.decodeUncached(text, columns) }
    }

    /// Like ``decode(_:_:)``, for callers that read more than is to be cached.
    static func decodeUncached(_ text: String, _ columns: TransactionColumns) throws -> Transaction {
        if isWhole(text) { return try JSON.decode(Transaction.self, from: text) }
        return try JSON.decode(TransactionRest.self, from: text).transaction(columns)
    }

    /// Whether the string is of an earlier version, or of a row without the columns: it has all members, in their
    /// order.
    static func isWhole(_ text: String) -> Bool { text.utf8.starts(with: #"{"app":"#.utf8) }
}
