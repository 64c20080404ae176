struct TransactionInfoResponse: Decodable, Sendable {
    var signedTransactionInfo: String
}
