/// What bytes of receipts are kept for, by the names that a ledger stores.
package enum ReceiptBytesKind: String, Hashable, Sendable {
    case pending
    case rejected
    case verified
}
