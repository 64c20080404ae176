package import Foundation

extension Data {
    /// The data as base64url (RFC 4648 §5) without padding.
    package var base64URL: String {
        let count = count
        guard count > 0 else { return "" }
        return withUnsafeBytes { bytes in
            // By hand: replacing the two characters of base64 was most of the cost of verifying a grant.
            String(unsafeUninitializedCapacity: (count * 4 + 2) / 3) { text in
                var (index, bits, waiting) = (0, 0 as UInt32, 0)
                for byte in bytes {
                    (bits, waiting) = (bits << 8 | UInt32(byte), waiting + 8)
                    while waiting >= 6 {
                        waiting -= 6
                        text[index] = Base64URL.character(of: bits >> UInt32(waiting))
                        index += 1
                    }
                }
                if waiting > 0 {
                    text[index] = Base64URL.character(of: bits << UInt32(6 - waiting))
                    index += 1
                }
                return index
            }
        }
    }

    /// Decodes base64 strictly (RFC 4648 §4): no other characters, and unused bits zero, so that each accepted string
    /// stands for different bytes.
    package init?(strictBase64 characters: Data) {
        guard let decoded = Data(base64Encoded: characters), decoded.base64EncodedData() == characters else {
            return nil
        }
        self = decoded
    }

    /// Decodes base64url without padding, strictly (RFC 7515 §2): no other characters, and unused bits zero.
    package init?(base64URL characters: some Collection<UInt8>) {
        let decoded = characters.withContiguousStorageIfAvailable(Base64URL.decoded)
        // An array, copied at once: a collection of another module's type is read byte by byte, with dynamic dispatch.
        guard let data = decoded ?? [UInt8](characters).withUnsafeBufferPointer(Base64URL.decoded) else { return nil }
        self = data
    }
}

/// base64url without padding, by tables.
private enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// The value of each byte; 255 for those that are no characters of base64url.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: .max, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// The character of the lowest six bits.
    @inline(__always) static func character(of bits: UInt32) -> UInt8 { alphabet[Int(bits & 0x3f)] }

    /// - Returns: `nil` for anything but the one form that each data has.
    static func decoded(_ characters: UnsafeBufferPointer<UInt8>) -> Data? {
        let rest = characters.count % 4
        guard rest != 1 else { return nil }
        var data = Data(count: characters.count / 4 * 3 + max(0, rest - 1))
        let isValid = data.withUnsafeMutableBytes { bytes in
            values.withUnsafeBufferPointer { values in decode(characters, values, into: bytes) }
        }
        return isValid ? data : nil
    }

    /// Whether all are characters of the alphabet.
    static func areCharacters(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        values.withUnsafeBufferPointer { values in
            var wrong: UInt8 = 0
            for byte in bytes { wrong |= values[Int(byte)] }
            return wrong < 0x80
        }
    }

    private static func decode(
        _ characters: UnsafeBufferPointer<UInt8>, _ values: UnsafeBufferPointer<UInt8>,
        into bytes: UnsafeMutableRawBufferPointer
    ) -> Bool {
        // Errors are detected at the end: a wrong character is not read differently.
        var wrong: UInt8 = 0
        func value(_ index: Int) -> UInt32 {
            let value = values[Int(characters[index])]
            wrong |= value
            return UInt32(value)
        }
        var (read, written) = (0, 0)
        // Four characters are three bytes.
        while read &+ 4 <= characters.count {
            let bits = value(read) << 18 | value(read &+ 1) << 12 | value(read &+ 2) << 6 | value(read &+ 3)
            bytes[written] = UInt8(truncatingIfNeeded: bits >> 16)
            bytes[written &+ 1] = UInt8(truncatingIfNeeded: bits >> 8)
            bytes[written &+ 2] = UInt8(truncatingIfNeeded: bits)
            (read, written) = (read &+ 4, written &+ 3)
        }
        var (rest, unused) = (0 as UInt32, 0 as UInt32)
        switch characters.count &- read {
        case 2:
            rest = value(read) << 18 | value(read &+ 1) << 12
            unused = rest & 0xffff
        case 3:
            rest = value(read) << 18 | value(read &+ 1) << 12 | value(read &+ 2) << 6
            unused = rest & 0xff
            bytes[written &+ 1] = UInt8(truncatingIfNeeded: rest >> 8)
        default: return wrong < 0x80
        }
        bytes[written] = UInt8(truncatingIfNeeded: rest >> 16)
        return wrong < 0x80 && unused == 0
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether all are characters of base64url (RFC 4648 §5), which padding is not; also if there are none.
    package var areBase64URL: Bool { Base64URL.areCharacters(self) }
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
    /// The lower-case hexadecimal digit of a number below 16.
    package var hexDigit: UInt8 { self &+ UInt8(ascii: self < 10 ? "0" : "W") }
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
