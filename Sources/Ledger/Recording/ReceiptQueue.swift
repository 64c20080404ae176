/// The queues of receipts that wait for the store. Each has workers of its own, so that transaction IDs, which anybody
/// can make up, do not keep receipts from their turn.
package enum ReceiptQueue: CaseIterable, Sendable {
    /// Everything but transaction IDs; each app has an equal share.
    case receipts
    /// Transaction IDs; each address has an equal share.
    case transactionIDs
}
