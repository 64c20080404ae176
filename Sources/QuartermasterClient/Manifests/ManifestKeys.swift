import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// The keys that sign manifests, as the server published them over TLS. They are kept on disk, and requested again once
/// a day or if one is unknown.
actor ManifestKeys {
    private struct Stored: Codable {
        /// The 32 bytes of each key, by its thumbprint.
        var keys: [String: Data]
        var asked: Date
    }

    private let api: API
    private let file: StoredFile<Stored>
    private let clock: ClientClock
    private let pinned: Set<String>
    private var stored: Stored?
    private var lastAnswer: Duration?
    private var asking: Task<Stored, any Error>?

    /// - Parameter pinned: the thumbprints of the only keys that are trusted; empty for all that the server publishes.
    init(api: API, file: URL, clock: ClientClock, pinned: Set<String>) {
        self.api = api
        self.file = StoredFile(file)
        self.clock = clock
        self.pinned = pinned
    }

    /// The payload of a message, if a key of the server has signed it and it is of the expected type.
    ///
    /// - Throws: ``DownloadError/signature``, or what a request throws.
    func payload(of text: String?, type: String) async throws -> Data {
        guard let message = text.flatMap(SignedMessage.init), message.type == type,
            let key = try await key(message.keyID), message.isSigned(by: key)
        else { throw DownloadError.signature }
        return message.payload
    }

    private func key(_ id: String) async throws -> Data? {
        guard pinned.isEmpty || pinned.contains(id) else { return nil }
        let stored = self.stored ?? file.load()
        self.stored = stored
        let known = stored?.keys[id]
        if known != nil, isRecent(stored) { return known }
        if known == nil, let lastAnswer, clock.uptime() - lastAnswer < BundleLimits.keysInterval { return nil }
        do {
            return try await ask().keys[id]
        } catch {
            guard let known else { throw error }
            return known
        }
    }

    private func isRecent(_ stored: Stored?) -> Bool {
        guard let stored else { return false }
        return (0..<BundleLimits.keysAge).contains(clock.now().timeIntervalSince(stored.asked))
    }

    private func ask() async throws -> Stored {
        if let asking { return try await asking.value }
        let task = Task { try await self.fetch() }
        asking = task
        defer { asking = nil }
        return try await task.value
    }

    private func fetch() async throws -> Stored {
        let response = try await api.send(APIRequest(.get, "v1", "keys"))
        let answer = try JSONDecoder().decode(KeyList.self, from: response.body)
        var keys: [String: Data] = [:]
        for key in answer.keys.prefix(BundleLimits.keys) where key.purpose == "manifests" {
            guard key.kty == "OKP", key.crv == "Ed25519", let bytes = Data(base64URL: key.x), bytes.count == 32,
                key.kid == Self.thumbprint(of: bytes)
            else { continue }
            keys[key.kid] = bytes
        }
        let stored = Stored(keys: keys, asked: clock.now())
        self.stored = stored
        lastAnswer = clock.uptime()
        try? file.save(stored)
        return stored
    }

    /// The thumbprint of a key (RFC 7638 §3, RFC 8037 appendix A.3).
    private static func thumbprint(of key: Data) -> String {
        let text = #"{"crv":"Ed25519","kty":"OKP","x":"\#(key.base64URL)"}"#
        return Data(SHA256.hash(data: Data(text.utf8))).base64URL
    }
}

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
