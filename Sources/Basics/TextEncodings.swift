package import Foundation

extension Data {
    /// The data as base64url (RFC 4648 §5) without padding.
    package var base64URL: String {
        // Byte by byte: replacing text was most of the cost of verifying a grant.
        var bytes = [UInt8](base64EncodedData())
        while bytes.last == UInt8(ascii: "=") { bytes.removeLast() }
        for index in bytes.indices {
            switch bytes[index] {
            case UInt8(ascii: "+"): bytes[index] = UInt8(ascii: "-")
            case UInt8(ascii: "/"): bytes[index] = UInt8(ascii: "_")
            default: continue
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Decodes base64 strictly (RFC 4648 §4): no other characters, and unused bits zero, so that each accepted text
    /// stands for different bytes.
    package init?(strictBase64 characters: Data) {
        guard let decoded = Data(base64Encoded: characters), decoded.base64EncodedData() == characters else {
            return nil
        }
        self = decoded
    }

    /// Decodes base64url without padding, strictly (RFC 7515 §2).
    package init?(base64URL characters: some Collection<UInt8>) {
        // An array, copied at once: a collection of another module's type is asked for each byte by dynamic dispatch.
        var standard = [UInt8](characters)
        for index in standard.indices {
            switch standard[index] {
            case UInt8(ascii: "-"): standard[index] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): standard[index] = UInt8(ascii: "/")
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="): return nil
            default: continue
            }
        }
        while !standard.count.isMultiple(of: 4) { standard.append(UInt8(ascii: "=")) }
        self.init(strictBase64: Data(standard))
    }
}

extension Sequence<UInt8> {
    /// The bytes in lower-case hexadecimal.
    package var hex: String {
        // `String(format:)` for each byte was a tenth of the cost of a product list.
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * underestimatedCount)
        for byte in self { digits.append(hexOf: byte) }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Appends a byte as two lower-case digits.
    package mutating func append(hexOf byte: UInt8) {
        append((byte >> 4).hexDigit)
        append((byte & 0x0f).hexDigit)
    }
}

extension UInt8 {
    /// The hexadecimal digit of a number below 16.
    fileprivate var hexDigit: UInt8 { self &+ UInt8(ascii: self < 10 ? "0" : "W") }
}

extension String {
    /// Whether the string is a SHA-256 in lower-case hexadecimal, as manifests and the content repository have it.
    package var isSHA256: Bool {
        utf8.count == 64
            && utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
