package import Basics
import Crypto
package import Foundation
import InAppPurchase
package import Ledger
import StrictJSON

/// A list of keys with the signature of a root key, whose public key is part of it: it shows only that the two belong
/// together. Apps know the root that they trust.
package struct SignedKeyList: Sendable {
    static let type = "quartermaster-keys+jwt"
    private static let prefix = "manifests/lists/"

    private struct Header: Codable {
        struct PublicKey: Codable {
            var crv = "Ed25519"
            var kty = "OKP"
            var x: String
        }

        var alg = "EdDSA"
        var jwk: PublicKey
        var kid: String
        var typ = SignedKeyList.type
    }

    /// The JWS in compact serialization (RFC 7515 §7.1).
    package let jws: String
    package let list: KeyList
    /// The root's public key as apps name it: its 32 bytes in base64url.
    package let root: String

    package init(_ list: KeyList, by root: RootKey) throws {
        let header = Header(jwk: Header.PublicKey(x: root.publicText), kid: root.id)
        let signed = try [JSONEncoder.canonical.encode(header), JSONEncoder.canonical.encode(list)]
            .map(\.base64URL).joined(separator: ".")
        jws = "\(signed).\(try root.signature(of: Data(signed.utf8)).base64URL)"
        self.list = list
        self.root = root.publicText
    }

    /// - Throws: ``KeyListError`` if it is no list that the root in it has signed.
    package init(_ jws: String) throws(KeyListError) {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let head = Data(base64URL: parts[0].utf8), let body = Data(base64URL: parts[1].utf8),
            let signature = Data(base64URL: parts[2].utf8),
            let header = try? JSONDecoder().decode(Header.self, from: head), header.typ == Self.type,
            header.alg == "EdDSA", let bytes = Data(base64URL: header.jwk.x.utf8),
            let key = try? Curve25519.Signing.PublicKey(rawRepresentation: bytes),
            key.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)),
            let list = try? JSONDecoder().decode(KeyList.self, from: body)
        else { throw KeyListError("this is no list of keys that a root key signed") }
        self.jws = jws
        self.list = list
        root = header.jwk.x
    }

    /// The list with the highest version that was published; `nil` if none was.
    static func newest(in store: some KeyValueStore) async throws -> SignedKeyList? {
        try await store.values(withPrefix: prefix).values
            .map { try SignedKeyList(String(decoding: $0, as: UTF8.self)) }
            .max { $0.list.version < $1.list.version }
    }

    /// Stores the list, which servers publish within two minutes, and a row in the audit trail. The second time nothing
    /// changes.
    ///
    /// - Parameter keys: the present ones.
    /// - Throws: ``KeyListError`` if apps that have seen the published list would refuse it, or if a server could not
    ///   sign by it; then nothing is stored.
    package func publish(
        to store: any KeyValueStore & AuditLedger, over keys: ManifestKeys, by actor: AuditActor, at date: Date
    ) async throws {
        guard keys.list?.jws != jws else { return }
        let (own, version) = (Set(keys.all.map(\.id)), keys.list?.list.version ?? 0)
        if let strange = list.keys.first(where: { !own.contains($0.kid) }) {
            throw KeyListError("\(strange.kid): this ledger has no such key; the list is another server's")
        }
        guard list.version > version else {
            throw KeyListError(
                "the list has version \(list.version), but \(version) is published; sign the present keys")
        }
        guard date < list.end else { throw KeyListError("the list has expired at \(list.expires)") }
        let name = Self.prefix + String(list.version)
        guard try await store.establish(Data(jws.utf8), forKey: name) == Data(jws.utf8) else {
            throw KeyListError("version \(list.version) was published meanwhile")
        }
        let earlier = try await store.values(withPrefix: Self.prefix).keys.filter { $0 != name }
        try await store.removeValues(forKeys: Array(earlier))
        let content: [String: JSONValue] = [
            "version": .number(Double(list.version)), "root": .string(root),
            "keys": .array(list.keys.map { .string($0.kid) }),
        ]
        try await store.append(AuditEntry(.keyListPublished, by: actor, content: content, at: date))
    }
}
