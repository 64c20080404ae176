import Crypto
import CryptoExtras
import Foundation
import SwiftASN1
import X509

@testable import AppStore

/// A root of the test's own that signs app receipts, with an intermediate and a leaf like the store's.
struct ReceiptAuthority {
    struct Options {
        var leafMarker = true
        var intermediateMarker = true
        var leafNotAfter = Date.t0 + 365 * 86_400
        var algorithm = Certificate.SignatureAlgorithm.sha256WithRSAEncryption
    }

    /// RSA keys take long to make; what the certificates say is what counts.
    private static let keys = Result { try (0..<3).map { _ in try _RSA.Signing.PrivateKey(keySize: .bits2048) } }

    let leafKey: _RSA.Signing.PrivateKey
    let root: Certificate
    let intermediate: Certificate
    let leaf: Certificate

    init(_ options: Options = Options(), name: String = "Root") throws {
        let keys = try Self.keys.get()
        leafKey = keys[2]
        let rootIssuer = Issuer(name: name, key: .init(keys[0]), algorithm: options.algorithm)
        root = try rootIssuer.certificate(
            name, .init(keys[0].publicKey), isAuthority: true, usage: KeyUsage(keyCertSign: true),
            notAfter: .t0 + 20 * 365 * 86_400)
        intermediate = try rootIssuer.certificate(
            "Intermediate", .init(keys[1].publicKey), isAuthority: true,
            marker: options.intermediateMarker ? AppStoreSigningPolicy.intermediateMarker : nil,
            usage: KeyUsage(keyCertSign: true, cRLSign: true), notAfter: .t0 + 10 * 365 * 86_400)
        leaf = try Issuer(name: "Intermediate", key: .init(keys[1]), algorithm: options.algorithm).certificate(
            "Leaf", .init(leafKey.publicKey), isAuthority: false,
            marker: options.leafMarker ? AppStoreSigningPolicy.leafMarker : nil,
            usage: KeyUsage(digitalSignature: true),
            notAfter: options.leafNotAfter)
    }

    var verifier: AppReceiptVerifier {
        get throws { AppReceiptVerifier(anchors: try TrustAnchors(signedDataRoots: [], receiptRoots: [root.der])) }
    }

    func sign(_ octets: [UInt8], _ digest: DigestAlgorithm) throws -> [UInt8] {
        switch digest {
        case .sha1:
            Array(
                try leafKey.signature(for: Insecure.SHA1.hash(data: octets), padding: .insecurePKCS1v1_5)
                    .rawRepresentation)
        case .sha256:
            Array(try leafKey.signature(for: SHA256.hash(data: octets), padding: .insecurePKCS1v1_5).rawRepresentation)
        }
    }
}

/// A value of ASN.1 (X.690), encoded as a receipt may have it.
indirect enum Node {
    case primitive(UInt8, [UInt8])
    case constructed(UInt8, [Node])
    /// Bytes that are encoded already.
    case raw([UInt8])

    static func sequence(_ nodes: Node...) -> Node { .constructed(0x30, nodes) }
    static func integer(_ value: Int) -> Node { .raw((try? DER.encoded(value)) ?? []) }
    static func octets(_ octets: [UInt8]) -> Node { .primitive(0x04, octets) }
    static func identifier(_ identifier: ASN1ObjectIdentifier) -> Node { .raw((try? DER.encoded(identifier)) ?? []) }

    /// With definite lengths, each in as few bytes as it needs.
    var der: [UInt8] {
        switch self {
        case .primitive(let tag, let content): [tag] + Self.length(content.count) + content
        case .constructed(let tag, let nodes): { [tag] + Self.length($0.count) + $0 }(nodes.flatMap(\.der))
        case .raw(let bytes): bytes
        }
    }

    /// With indefinite lengths, and octet strings in pieces of `piece` bytes.
    func ber(piece: Int) -> [UInt8] {
        switch self {
        case .primitive(0x04, let content) where content.count > piece:
            [0x24, 0x80]
                + stride(from: 0, to: content.count, by: piece)
                .flatMap { Node.octets(Array(content[$0..<min($0 + piece, content.count)])).der } + [0, 0]
        case .primitive, .raw: der
        case .constructed(let tag, let nodes): [tag, 0x80] + nodes.flatMap { $0.ber(piece: piece) } + [0, 0]
        }
    }

    private static func length(_ count: Int) -> [UInt8] {
        if count < 0x80 { return [UInt8(count)] }
        let bytes = withUnsafeBytes(of: count.bigEndian) { Array($0.drop { $0 == 0 }) }
        return [0x80 | UInt8(bytes.count)] + bytes
    }
}

extension DER {
    static func encoded(_ value: some DERSerializable) throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(value)
        return serializer.serializedBytes
    }
}
