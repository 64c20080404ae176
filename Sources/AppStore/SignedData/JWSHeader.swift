/// The members of a JWS header that are used (RFC 7515 §4.1); all others are ignored.
struct JWSHeader: Decodable {
    private enum CodingKeys: String, CodingKey { case alg, kid, x5c, crit, b64 }

    var alg: String
    var kid: String?
    var x5c: [String]
    /// Whether it requires extensions, in any form (§4.1.11; RFC 7797 §3). None is supported.
    var hasExtensions: Bool

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        alg = try members.decode(String.self, forKey: .alg)
        // `null` is not a key ID.
        kid = members.contains(.kid) ? try members.decode(String.self, forKey: .kid) : nil
        x5c = try members.decode([String].self, forKey: .x5c)
        hasExtensions = members.contains(.crit) || members.contains(.b64)
    }
}
