/// The answer to `GET /v1/entitlements`, and to `POST /v1/restore`, as far as it counts.
struct EntitlementsAnswer: Sendable, Decodable {
    /// The JWS with the entitlements, as ``SignedEntitlements``.
    var signed: String?
    /// The result of each receipt of a restore, in the order in which they were sent.
    var receipts: [RestoredReceipt]

    private enum CodingKeys: String, CodingKey {
        case signed
        case receipts
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        signed = container.lenient(String.self, .signed)
        // Not leniently: their order says which receipt each is about.
        receipts = try container.decodeIfPresent([RestoredReceipt].self, forKey: .receipts) ?? []
    }
}
