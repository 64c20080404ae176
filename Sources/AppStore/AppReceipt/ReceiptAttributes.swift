import Foundation
import InAppPurchase
import SwiftASN1

/// A set of attributes: those of a receipt, or of one purchase in it.
struct ReceiptAttributes {
    /// The maximum number in one set: those of all purchases, and more others than any receipt has; genuine ones have
    /// about 20, and as many in each purchase.
    static let maximum = AppReceipt.maximumPurchases + 1_000
    /// The maximum number of nodes in the sets of one receipt that have another encoding than the App Store's, which
    /// takes ten times as long to read: Xcode's.
    static let maximumOtherNodes = 20_000

    private var values: [Int: [[UInt8]]]

    /// - Parameter nodes: how many nodes of another encoding than the App Store's the receipt may still have.
    /// - Throws: if the octets are not a set of attributes, or there are too many.
    init(berEncoded octets: [UInt8], otherNodes nodes: inout Int) throws {
        var attributes = try Self.attributes(inStoreEncoding: octets[...])
        if attributes == nil {
            nodes -= try BERHead.count(octets[...], atMost: nodes)
            attributes = try Self.attributes(inBER: octets)
        }
        values = Dictionary(grouping: attributes ?? [], by: \.type).mapValues { $0.map(\.value) }
    }

    static func attributes(inBER octets: [UInt8]) throws -> [ReceiptAttribute] {
        try BER.set(of: ReceiptAttribute.self, identifier: .set, rootNode: BER.parse(octets))
    }

    /// Reads a set in which every length is given and no string is in pieces, as in the App Store's receipts.
    ///
    /// - Returns: `nil` for another encoding, and for anything else; ``attributes(inBER:)`` says which.
    /// - Throws: if there are too many.
    static func attributes(inStoreEncoding octets: ArraySlice<UInt8>) throws -> [ReceiptAttribute]? {
        var (rest, attributes) = (octets, [ReceiptAttribute]())
        guard var members = BERHead.content(of: 0x31, in: &rest), rest.isEmpty else { return nil }
        while !members.isEmpty {
            guard attributes.count < maximum else { throw AppReceiptError() }
            guard var parts = BERHead.content(of: 0x30, in: &members), let type = integer(in: &parts),
                integer(in: &parts) != nil, let value = BERHead.content(of: 0x04, in: &parts), parts.isEmpty
            else { return nil }
            attributes.append(ReceiptAttribute(type: type, value: Array(value)))
        }
        return attributes
    }

    /// Removes an INTEGER of up to 64 bits, in the fewest octets.
    private static func integer(in octets: inout ArraySlice<UInt8>) -> Int? {
        guard let content = BERHead.content(of: 0x02, in: &octets), let first = content.first, content.count <= 8
        else { return nil }
        if let second = content.dropFirst().first, first == (second & 0x80 == 0 ? 0x00 : 0xFF) { return nil }
        return content.reduce(first & 0x80 == 0 ? 0 : -1) { $0 << 8 | Int($1) }
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
struct ReceiptAttribute: BERParseable, Equatable {
    var type: Int
    /// Another encoded value, or octets whose meaning is not public.
    var value: [UInt8]

    init(type: Int, value: [UInt8]) {
        self.type = type
        self.value = value
    }

    init(derEncoded node: ASN1Node) throws { try self.init(berEncoded: node) }

    init(berEncoded node: ASN1Node) throws {
        (type, value) = try BER.sequence(node, identifier: .sequence) { nodes in
            let type = try Int(berEncoded: &nodes)
            _ = try Int(berEncoded: &nodes)
            return (type, Array(try ASN1OctetString(berEncoded: &nodes).bytes))
        }
    }
}
