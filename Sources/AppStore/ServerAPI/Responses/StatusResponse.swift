struct StatusResponse: Decodable, Sendable {
    struct Group: Decodable, Sendable {
        var lastTransactions: [Item]
    }

    struct Item: Decodable, Sendable {
        var signedTransactionInfo: String
        var signedRenewalInfo: String?
        var status: Lenient<Double>?
    }

    var appAppleId: Int?
    var data: [Group]
}
