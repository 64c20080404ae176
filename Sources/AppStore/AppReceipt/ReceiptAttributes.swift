import Foundation
import InAppPurchase
import SwiftASN1

/// A set of attributes: those of a receipt, or of one purchase in it.
struct ReceiptAttributes {
    private var values: [Int: [[UInt8]]]

    /// - Throws: if the octets are not a set of attributes.
    init(berEncoded octets: [UInt8]) throws {
        let attributes = try BER.set(of: ReceiptAttribute.self, identifier: .set, rootNode: BER.parse(octets))
        values = Dictionary(grouping: attributes, by: \.type).mapValues { $0.map(\.value) }
    }

    /// All values of a type; most types have one.
    func octets(_ type: Int) -> [[UInt8]] { values[type] ?? [] }

    /// The value of a type; `nil` if it is empty or missing.
    /// - Throws: if there are several values, since it is undefined which one counts.
    private func single(_ type: Int) throws -> [UInt8]? {
        let all = octets(type)
        guard all.count <= 1 else { throw AppReceiptError() }
        return all.first.flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The string in a UTF8String or IA5String; `nil` if it is empty or missing.
    /// - Throws: if the value is of another ASN.1 type.
    func text(_ type: Int) throws -> String? {
        guard let octets = try single(type) else { return nil }
        let node = try BER.parse(octets)
        let bytes =
            node.identifier == .ia5String
            ? try ASN1IA5String(berEncoded: node).bytes : try ASN1UTF8String(berEncoded: node).bytes
        guard let text = String(validating: bytes, as: UTF8.self) else { throw AppReceiptError() }
        return text.isEmpty ? nil : text
    }

    /// The value of an INTEGER; `nil` if it is empty or missing.
    /// - Throws: if it is not an integer of 64 bits.
    func integer(_ type: Int) throws -> Int? {
        guard let octets = try single(type) else { return nil }
        return try Int(berEncoded: octets)
    }

    /// The value of an RFC 3339 date; `nil` if it is empty or missing.
    /// - Throws: if the value is not a date.
    func date(_ type: Int) throws -> Date? {
        guard let text = try text(type) else { return nil }
        guard let date = Date(rfc3339: text.withColonInOffset), AppStoreBounds.milliseconds.contains(date.milliseconds)
        else { throw AppReceiptError() }
        return date
    }
}

extension String {
    /// The string with `+01:00` instead of Xcode's `+0100`.
    fileprivate var withColonInOffset: String {
        guard let sign = dropLast(4).last, sign == "+" || sign == "-", suffix(4).allSatisfy(\.isNumber) else {
            return self
        }
        return "\(dropLast(2)):\(suffix(2))"
    }
}

/// An attribute of an app receipt: `SEQUENCE { type INTEGER, version INTEGER, value OCTET STRING }`.
///
/// Source: Apple, "Validating receipts on the device".
struct ReceiptAttribute: BERParseable {
    var type: Int
    /// Another encoded value, or octets whose meaning is not public.
    var value: [UInt8]

    init(derEncoded node: ASN1Node) throws { try self.init(berEncoded: node) }

    init(berEncoded node: ASN1Node) throws {
        (type, value) = try BER.sequence(node, identifier: .sequence) { nodes in
            let type = try Int(berEncoded: &nodes)
            _ = try Int(berEncoded: &nodes)
            return (type, Array(try ASN1OctetString(berEncoded: &nodes).bytes))
        }
    }
}
