/// The names of events of single transactions that can be planned.
enum TransactionAct {
    static let refund = "refund"
}
