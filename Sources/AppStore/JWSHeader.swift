/// The members of a JWS's header that are looked at (RFC 7515 §4.1); all others are ignored.
struct JWSHeader: Decodable {
    private enum CodingKeys: String, CodingKey { case alg, kid, x5c, crit, b64 }

    var alg: String
    var kid: String?
    var x5c: [String]
    /// Whether it asks, in whatever form, for extensions to be understood (§4.1.11; RFC 7797 §3). None is.
    var hasExtensions: Bool

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        alg = try members.decode(String.self, forKey: .alg)
        // Null is no key ID.
        kid = members.contains(.kid) ? try members.decode(String.self, forKey: .kid) : nil
        x5c = try members.decode([String].self, forKey: .x5c)
        hasExtensions = members.contains(.crit) || members.contains(.b64)
    }
}
