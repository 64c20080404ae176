import Foundation
import InAppPurchase
import SwiftASN1
import Testing
import X509

/// An app receipt taken apart by the letter of RFC 5652, independently of what the simulator itself reads with.
struct ReceiptFile {
    var certificates: [Certificate] = []
    var signer: (issuer: DistinguishedName, serialNumber: ArraySlice<UInt8>)
    var signature: ArraySlice<UInt8> = []
    var content: ArraySlice<UInt8> = []

    init(_ value: JSONValue) throws {
        let octets = [UInt8](try #require(Data(base64Encoded: value.text)))
        var nodes = try Self.children(DER.parse(octets))
        #expect(try ASN1ObjectIdentifier(derEncoded: nodes[0]) == [1, 2, 840, 113549, 1, 7, 2])
        nodes = try Self.children(Self.children(nodes[1])[0])
        try #require(nodes.count == 5)
        #expect(try Int(derEncoded: nodes[0]) == 1)
        let encapsulated = try Self.children(nodes[2])
        content = try ASN1OctetString(derEncoded: Self.children(encapsulated[1])[0]).bytes
        certificates = try Self.children(nodes[3]).map { try Certificate(derEncoded: $0) }
        let info = try Self.children(Self.children(nodes[4])[0])
        try #require(info.count == 5)
        let name = try Self.children(info[1])
        signer = (try DistinguishedName(derEncoded: name[0]), try ArraySlice(derEncoded: name[1]))
        signature = try ASN1OctetString(derEncoded: info[4]).bytes
    }

    /// The values of each attribute, by type.
    static func attributes(_ octets: ArraySlice<UInt8>) throws -> [Int: [ArraySlice<UInt8>]] {
        var attributes: [Int: [ArraySlice<UInt8>]] = [:]
        for node in try children(DER.parse(octets)) {
            let members = try children(node)
            let value = try ASN1OctetString(derEncoded: members[2]).bytes
            attributes[try Int(derEncoded: members[0]), default: []].append(value)
        }
        return attributes
    }

    /// UTF8String or IA5String.
    static func text(_ octets: ArraySlice<UInt8>?) throws -> String {
        let node = try DER.parse(#require(octets))
        return try node.identifier == .utf8String
            ? String(ASN1UTF8String(derEncoded: node)) : String(ASN1IA5String(derEncoded: node))
    }

    static func integer(_ octets: ArraySlice<UInt8>?) throws -> Int { try Int(derEncoded: DER.parse(#require(octets))) }

    private static func children(_ node: ASN1Node) throws -> [ASN1Node] {
        guard case .constructed(let nodes) = node.content else { throw UnexpectedNode() }
        return Array(nodes)
    }

    struct UnexpectedNode: Error {}
}
