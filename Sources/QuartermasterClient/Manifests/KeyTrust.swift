import Foundation

/// The keys that an app trusts among those that a server publishes.
struct KeyTrust: Sendable {
    /// The public keys, in base64url, of the roots that vouch for the others. If empty, the server's word suffices.
    var roots: Set<String> = []
    /// The thumbprints of the only keys that are trusted; empty for all.
    var pinned: Set<String> = []

    /// The keys of an answer to `GET /v1/keys`.
    ///
    /// - Throws: ``DownloadError/signature`` if no root vouches for them, or `DecodingError`.
    func keys(in answer: Data) throws -> TrustedKeys {
        let list = try JSONDecoder().decode(KeyList.self, from: answer)
        var found = try roots.isEmpty ? TrustedKeys(ofServer: list.keys) : vouched(list.rootSignature)
        if !pinned.isEmpty { found.keys = found.keys.filter { pinned.contains($0.key) } }
        return found
    }

    private func vouched(_ signature: String?) throws -> TrustedKeys {
        guard let message = signature.flatMap(SignedMessage.init), message.type == "quartermaster-keys+jwt" else {
            throw DownloadError.signature
        }
        let known = roots.compactMap { Data(base64URL: $0) }
        guard known.contains(where: { TrustedKeys.thumbprint(of: $0) == message.keyID && message.isSigned(by: $0) })
        else {
            throw DownloadError.signature
        }
        return try TrustedKeys(ofRoot: message.payload)
    }
}

/// The answer to `GET /v1/keys`: the public keys of the server.
struct KeyList: Decodable {
    /// A key. Only one of the kind that signs manifests has the members that are needed here.
    struct Key: Decodable {
        let kty: String
        let crv: String
        let x: String
        let kid: String
        let purpose: String?
    }

    private enum CodingKeys: String, CodingKey {
        case keys
        case rootSignature
    }

    let keys: [Key]
    let rootSignature: String?

    /// - Throws: if there is no list of keys; one that cannot be read is left out.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        guard let keys = members.lenient(elements: Key.self, .keys) else {
            throw DecodingError.dataCorruptedError(forKey: .keys, in: members, debugDescription: "no keys")
        }
        self.keys = keys
        rootSignature = members.lenient(String.self, .rootSignature)
    }
}
