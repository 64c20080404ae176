import Crypto
import Foundation
import SwiftASN1
import X509

@testable import AppStore

/// An app receipt as the store makes it, except for what a test changes.
struct AppReceiptMaker {
    enum Encoding: CaseIterable { case der, ber }

    static let device = Data((0..<16).map { UInt8($0) })

    var attributes = Self.hangman
    var purchases: [[Int: Node]] = [Self.words]
    var digest = DigestAlgorithm.sha256
    var hasSignedAttributes = false
    var isWrappedTwice = false
    var encoding = Encoding.der
    var certificates: [Certificate]?
    var revocationLists: [Node] = []
    /// In place of the attributes and purchases.
    var octets: [UInt8]?
    var messageType = SignedDataMessage.signedData
    var contentType = SignedDataMessage.data
    var signers = 1
    /// In place of the authority's.
    var signature: [UInt8]?
    var digestIdentifier: ASN1ObjectIdentifier?

    static func text(_ text: String) -> Node { .primitive(0x0C, Array(text.utf8)) }
    static func date(_ text: String) -> Node { .primitive(0x16, Array(text.utf8)) }

    /// By attribute; made at ``Foundation/Date/t0``.
    static let hangman: [Int: Node] = {
        let bundle = text("com.example.hangman")
        let hash = Array(Insecure.SHA1.hash(data: Array(device) + [1, 2, 3, 4] + bundle.der))
        return [
            0: text("Production"), 1: .integer(1_234_567_890), 2: bundle, 3: text("1.2"), 4: .raw([1, 2, 3, 4]),
            5: .raw(hash), 6: .raw([9, 9, 9]), 12: date("2026-11-20T21:37:00Z"), 18: date("2013-08-01T07:00:00Z"),
            19: text("1.0"), 9999: .integer(7),
        ]
    }()

    static let words: [Int: Node] = [
        1701: .integer(2), 1702: text("com.example.hangman.tenhints"), 1703: text("2000000000000002"),
        1704: date("2026-11-20T21:00:00Z"), 1705: text("2000000000000001"), 1706: date("2026-11-19T21:00:00Z"),
        1707: .integer(1), 1708: date(""), 1711: .integer(1_000_000_000_000_007), 1712: date(""), 1713: .integer(0),
    ]

    static func set(_ attributes: [Int: Node], _ more: [Node] = []) -> Node {
        .constructed(0x31, attributes.sorted { $0.key < $1.key }.map { attribute($0.key, $0.value) } + more)
    }

    static func attribute(_ type: Int, _ value: Node) -> Node {
        .sequence(.integer(type), .integer(1), .octets(value.der))
    }

    var content: [UInt8] {
        if let octets { return octets }
        let payload = Self.set(attributes, purchases.map { Self.attribute(17, Self.set($0)) })
        let octets = encoding == .der ? payload.der : payload.ber(piece: 40)
        return isWrappedTwice ? Node.octets(octets).der : octets
    }

    /// In base64, signed by the authority.
    func receipt(by authority: ReceiptAuthority) throws -> String {
        let message = try message(by: authority)
        return Data(encoding == .der ? message.der : message.ber(piece: 100)).base64EncodedString()
    }

    func message(by authority: ReceiptAuthority) throws -> Node {
        let certificates = certificates ?? [authority.intermediate, authority.root, authority.leaf]
        let lists: [Node] = revocationLists.isEmpty ? [] : [.constructed(0xA1, revocationLists)]
        let signedData: [Node] = [
            .integer(1), .constructed(0x31, [algorithm]),
            .sequence(.identifier(contentType), .constructed(0xA0, [.octets(content)])),
            .constructed(0xA0, try certificates.map { .raw(Array(try $0.der)) }),
        ]
        let signers = Node.constructed(0x31, Array(repeating: try signerInfo(by: authority), count: signers))
        return .sequence(
            .identifier(messageType), .constructed(0xA0, [.constructed(0x30, signedData + lists + [signers])]))
    }

    private func signerInfo(by authority: ReceiptAuthority) throws -> Node {
        let attributes = signedAttributes
        let signed = attributes.isEmpty ? content : Node.constructed(0x31, attributes).der
        let signer = Node.sequence(
            .raw(try DER.encoded(authority.leaf.issuer)),
            .raw(try DER.encoded(ArraySlice(authority.leaf.serialNumber.bytes))))
        let signature = Node.octets(try signature ?? authority.sign(signed, digest))
        let encryption = Node.sequence(.identifier([1, 2, 840, 113_549, 1, 1, 1]), .primitive(0x05, []))
        let encoded: [Node] = attributes.isEmpty ? [] : [.raw(Node.constructed(0xA0, attributes).der)]
        return .constructed(0x30, [.integer(1), signer, algorithm] + encoded + [encryption, signature])
    }

    private var signedAttributes: [Node] {
        guard hasSignedAttributes else { return [] }
        return [
            .sequence(
                .identifier(SignedAttributes.contentType),
                .constructed(0x31, [.identifier(SignedDataMessage.data)])),
            .sequence(
                .identifier(SignedAttributes.messageDigest), .constructed(0x31, [.octets(digest.hash(content))])),
        ]
    }

    private var algorithm: Node {
        let identifier: ASN1ObjectIdentifier =
            digestIdentifier ?? (digest == .sha1 ? [1, 3, 14, 3, 2, 26] : [2, 16, 840, 1, 101, 3, 4, 2, 1])
        return .sequence(.identifier(identifier), .primitive(0x05, []))
    }
}
