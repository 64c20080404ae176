import Foundation

#if canImport(CryptoKit)
    import CryptoKit
#else
    import Crypto
#endif

/// Keys that are trusted.
struct TrustedKeys: Sendable {
    /// The 32 bytes of each, by its thumbprint.
    var keys: [String: Data] = [:]
    /// The number of the root's list; 0 without a root.
    private(set) var version = 0
    /// From when the root's list is accepted no more, when it comes from the server.
    private(set) var expires = Date.distantFuture

    init(ofServer list: [KeyList.Key]) {
        for key in list.prefix(BundleLimits.keys) where key.purpose == "manifests" {
            guard key.kty == "OKP", key.crv == "Ed25519" else { continue }
            insert(key.x, as: key.kid)
        }
    }

    init(ofRoot payload: Data) throws {
        struct List: Decodable {
            struct Key: Decodable {
                let kid: String
                let x: String
            }

            let version: Int
            let expires: String
            let keys: [Key]
        }
        let list = try JSONDecoder().decode(List.self, from: payload)
        guard let end = WireTime(list.expires) else { throw DownloadError.signature }
        version = list.version
        expires = end.date
        for key in list.keys.prefix(BundleLimits.keys) { insert(key.x, as: key.kid) }
    }

    private mutating func insert(_ text: String, as id: String) {
        guard let bytes = Data(base64URL: text), bytes.count == 32, id == Self.thumbprint(of: bytes) else { return }
        keys[id] = bytes
    }

    /// The thumbprint of an Ed25519 key (RFC 7638 §3, RFC 8037 appendix A.3).
    static func thumbprint(of key: Data) -> String {
        let text = #"{"crv":"Ed25519","kty":"OKP","x":"\#(key.base64URL)"}"#
        return Data(SHA256.hash(data: Data(text.utf8))).base64URL
    }
}
