public import Foundation
import InAppPurchase

extension Data {
    /// Decodes base64 as clients send receipts: with line breaks, with spaces, as base64url, without `=` at the end.
    ///
    /// A space stands for a `+` that form decoding replaced, unless there is a `+` besides, or the bytes are a receipt
    /// only without the spaces. `nil` if it is not base64 even then.
    public init?(receiptBase64 text: String) {
        let characters = text.utf8.filter {
            ![UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "\t")].contains($0)
        }
        let space = UInt8(ascii: " "), plus = UInt8(ascii: "+")
        let withoutSpaces = characters.filter { $0 != space }
        let bytes = Self.decoded(withoutSpaces)
        guard withoutSpaces.count < characters.count, !characters.contains(plus),
            let withPluses = Self.decoded(characters.map { $0 == space ? plus : $0 }),
            withPluses.isWholeReceipt || bytes?.isWholeReceipt != true
        else {
            guard let bytes else { return nil }
            self = bytes
            return
        }
        self = withPluses
    }

    private static func decoded(_ characters: [UInt8]) -> Data? {
        var plain = characters.map { character in
            switch character {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: character
            }
        }
        if plain.last != UInt8(ascii: "=") {
            plain += repeatElement(UInt8(ascii: "="), count: (4 - plain.count % 4) % 4)
        }
        return Data(base64Encoded: Data(plain))
    }

    /// Whether the bytes end where a receipt that begins so ends: DER of a definite length, or a property list.
    private var isWholeReceipt: Bool {
        guard first == Receipt.Kind.sequenceTag else { return OpenStepPropertyList.members(of: self) != nil }
        guard let length = dropFirst().first else { return false }
        guard length > 0x80 else { return length == 0x80 || count == 2 + Int(length) }
        let digits = dropFirst(2).prefix(Int(length & 0x7F))
        guard digits.count <= 4 else { return false }
        return count == 2 + digits.count + digits.reduce(0) { $0 << 8 | Int($1) }
    }
}
