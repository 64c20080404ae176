/// The kinds of stored receipt bytes. The raw values are stored in the ledger.
package enum ReceiptBytesKind: String, Hashable, Sendable {
    case pending
    case rejected
    case verified
}
