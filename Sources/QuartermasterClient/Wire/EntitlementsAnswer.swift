import Foundation

/// The answer to `GET /v1/entitlements`, and to `POST /v1/restore`.
struct EntitlementsAnswer: Sendable, Decodable {
    var account: UUID
    /// The time of the answer, by the server's clock.
    var at: Date
    var entitlements: [Entitlement]
    /// The balances by currency; absent if the server did not state them.
    var balances: [String: Int]?
    /// The result of each receipt of a restore, in the order in which they were sent.
    var receipts: [RestoredReceipt]

    private enum CodingKeys: String, CodingKey {
        case account
        case at
        case entitlements
        case balances
        case receipts
    }

    /// An entitlement that cannot be read is left out: it gives no access then.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        account = try container.decode(UUID.self, forKey: .account)
        guard let time = container.lenientTime(.at),
            let entitlements = container.lenient(elements: Entitlement.self, .entitlements)
        else {
            throw DecodingError.dataCorruptedError(forKey: .at, in: container, debugDescription: "No entitlements.")
        }
        at = time
        self.entitlements = entitlements
        balances = container.lenient([String: Int].self, .balances)
        // Not leniently: their order says which receipt each is about.
        receipts = try container.decodeIfPresent([RestoredReceipt].self, forKey: .receipts) ?? []
    }
}
