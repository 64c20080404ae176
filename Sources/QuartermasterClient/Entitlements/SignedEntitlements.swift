import Foundation

/// The server's statement about an account in one app and environment. Its signature was checked.
struct SignedEntitlements: Sendable, Decodable {
    static let type = "quartermaster-entitlements+jwt"

    let account: UUID
    let bundleID: String
    let environment: StoreEnvironment
    let at: Date
    let freshUntil: Date
    let nonce: String?
    let entitlements: [Entitlement]
    let balances: [String: Int]

    private enum CodingKeys: String, CodingKey {
        case account
        case at
        case balances
        case bundleID
        case entitlements
        case environment
        case freshUntil
        case nonce
    }

    /// An entitlement that cannot be read is left out: it gives no access then.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        account = try members.decode(UUID.self, forKey: .account)
        bundleID = try members.decode(String.self, forKey: .bundleID)
        environment = try members.decode(StoreEnvironment.self, forKey: .environment)
        guard let at = members.lenientTime(.at), let end = members.lenientTime(.freshUntil),
            let entitlements = members.lenient(elements: Entitlement.self, .entitlements)
        else {
            throw DecodingError.dataCorruptedError(forKey: .at, in: members, debugDescription: "No entitlements.")
        }
        self.at = at
        freshUntil = end
        nonce = try members.decodeIfPresent(String.self, forKey: .nonce)
        self.entitlements = entitlements.map { entitlement in
            var copy = entitlement
            copy.freshUntil = end
            return copy
        }
        balances = members.lenient([String: Int].self, .balances) ?? [:]
    }

    /// Whether it grants the same as another one, for whatever time.
    func says(theSameAs other: Self) -> Bool {
        func timeless(_ entitlements: [Entitlement]) -> [Entitlement] {
            entitlements.map { entitlement in
                var copy = entitlement
                copy.freshUntil = nil
                return copy
            }
        }
        return timeless(entitlements) == timeless(other.entitlements) && balances == other.balances
    }

    /// Whether half of its life is over, so that the server signs anew.
    func isHalfOver(at time: Date) -> Bool { time.timeIntervalSince(at) >= freshUntil.timeIntervalSince(at) / 2 }
}
