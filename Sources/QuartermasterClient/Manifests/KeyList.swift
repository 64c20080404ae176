/// The answer to `GET /v1/keys`: the public keys of the server.
struct KeyList: Decodable, Sendable {
    /// A key. Only one of the kind that signs manifests has the members that are needed here.
    struct Key: Decodable, Sendable {
        let kty: String
        let crv: String
        let x: String
        let kid: String
        let purpose: String?
    }

    private enum CodingKeys: String, CodingKey {
        case keys
    }

    let keys: [Key]

    /// - Throws: if there is no list of keys; one that cannot be read is left out.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard let keys = members.lenient(elements: Key.self, .keys) else {
            throw DecodingError.dataCorruptedError(forKey: .keys, in: members, debugDescription: "no keys")
        }
        self.keys = keys
    }
}
