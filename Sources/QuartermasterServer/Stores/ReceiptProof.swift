/// How far a receipt of one kind is proof by its own signature, without the store.
enum ReceiptProof: Hashable, Sendable {
    /// Nothing: the store is asked.
    case nothing
    /// Its signature is good for provisional access; the store decides.
    case provisional
    /// Its signature proves a transaction. The store is asked first if it was signed long ago.
    case transaction
    /// Its signature proves purchases as they were when it was made. If it is old, the store is asked for what it knows
    /// about them now, which is recorded as facts beside it.
    case snapshot
}
