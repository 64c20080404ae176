package import Foundation

extension Data {
    /// RFC 4648 §5, without padding.
    package var base64URL: String {
        // Byte by byte: replacing text was most of what the check of a grant cost.
        let bytes = base64EncodedString().utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension Sequence<UInt8> {
    /// Lower-case hexadecimal.
    package var hex: String {
        // `String(format:)` for each byte was a tenth of what a product list costs.
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * underestimatedCount)
        for byte in self { digits.append(hexOf: byte) }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Two lower-case digits.
    mutating func append(hexOf byte: UInt8) {
        append((byte >> 4).hexDigit)
        append((byte & 0x0f).hexDigit)
    }
}

extension UInt8 {
    /// Of a number below 16.
    fileprivate var hexDigit: UInt8 { self &+ UInt8(ascii: self < 10 ? "0" : "W") }
}

extension String {
    /// Whether it is a SHA-256 in lower-case hexadecimal, as manifests and the store of files write them.
    package var isSHA256: Bool {
        utf8.count == 64
            && utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }
}
