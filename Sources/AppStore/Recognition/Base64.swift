public import Foundation

extension Data {
    /// Decodes base64 as clients send receipts: with line breaks, or with spaces if form decoding replaced `+`.
    ///
    /// `nil` if it is not base64 even then.
    public init?(receiptBase64 text: String) {
        let tolerated = text.utf8.compactMap { character -> UInt8? in
            switch character {
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "\t"): nil
            case UInt8(ascii: " "): UInt8(ascii: "+")
            default: character
            }
        }
        self.init(base64Encoded: Data(tolerated))
    }

    /// Decodes base64 strictly (RFC 4648 §4): no other characters, and unused bits zero, so that each accepted text
    /// stands for different bytes.
    init?(strictBase64 characters: Data) {
        guard let decoded = Data(base64Encoded: characters), decoded.base64EncodedData() == characters else {
            return nil
        }
        self = decoded
    }

    /// Decodes base64url without padding, strictly (RFC 7515 §2).
    init?(base64URL characters: some Collection<UInt8>) {
        // An array: appending to `Data` byte by byte was a tenth of the cost of a receipt.
        var standard: [UInt8] = []
        standard.reserveCapacity(characters.count + 3)
        for character in characters {
            switch character {
            case UInt8(ascii: "-"): standard.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): standard.append(UInt8(ascii: "/"))
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: standard.append(character)
            }
        }
        while !standard.count.isMultiple(of: 4) { standard.append(UInt8(ascii: "=")) }
        self.init(strictBase64: Data(standard))
    }
}
