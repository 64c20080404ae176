/// Resolves the escapes of JSON strings (RFC 8259 §7).
enum JSONEscapes {
    /// The string without escapes.
    ///
    /// - Parameter content: the characters between the quotes, scanned already.
    /// - Returns: `nil` if there is an unpaired surrogate, which is not a character.
    static func resolved(_ content: UnsafeBufferPointer<UInt8>) -> String? {
        var isText = true
        // An escape is never shorter than the UTF-8 of its character.
        let text = String(unsafeUninitializedCapacity: content.count) { text in
            guard let length = resolve(content, into: text) else {
                isText = false
                return 0
            }
            return length
        }
        return isText ? text : nil
    }

    /// Writes the string, which is at most `content.count` bytes long, and returns its length.
    private static func resolve(
        _ content: UnsafeBufferPointer<UInt8>, into text: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        var (position, length) = (0, 0)
        func append(_ byte: UInt8) {
            text[length] = byte
            length += 1
        }
        while position < content.count {
            let byte = content[position]
            position += 1
            guard byte == UInt8(ascii: "\\"), position < content.count else {
                append(byte)
                continue
            }
            let kind = content[position]
            position += 1
            guard kind == UInt8(ascii: "u") else {
                append(character(kind))
                continue
            }
            guard let scalar = scalar(content, &position) else { return nil }
            for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter { append(byte) }
        }
        return length
    }

    static func value(ofHexDigit digit: UInt8) -> UInt32? {
        switch digit {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(digit - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(digit - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// Whether each of the four bytes is a hexadecimal digit, in any byte order.
    static func areHexDigits(_ bytes: UInt32) -> Bool {
        let (ones, highs) = (0x0101_0101 as UInt32, 0x8080_8080 as UInt32)
        // A sum has the high bit of each byte that is at least the limit. A byte of 0x80 and more, whose sum could
        // carry into the next one, is no digit anyway.
        func atLeast(_ limit: UInt8, _ bytes: UInt32) -> UInt32 { bytes &+ ones &* UInt32(0x80 - limit) }
        let lowercased = bytes | ones &* 0x20
        let digits = atLeast(UInt8(ascii: "0"), bytes) & ~atLeast(UInt8(ascii: "9") + 1, bytes)
        let letters = atLeast(UInt8(ascii: "a"), lowercased) & ~atLeast(UInt8(ascii: "f") + 1, lowercased)
        return (digits | letters) & ~bytes & highs == highs
    }

    private static func character(_ kind: UInt8) -> UInt8 {
        switch kind {
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        default: kind
        }
    }

    /// The character after `\u`, or of both halves of a surrogate pair.
    private static func scalar(_ content: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Unicode.Scalar? {
        guard let first = unit(content, &position) else { return nil }
        guard UTF16.isSurrogate(UInt16(truncatingIfNeeded: first)) else { return Unicode.Scalar(first) }
        guard first < 0xDC00, position + 1 < content.count, content[position] == UInt8(ascii: "\\"),
            content[position + 1] == UInt8(ascii: "u")
        else { return nil }
        position += 2
        guard let second = unit(content, &position), (0xDC00...0xDFFF).contains(second) else { return nil }
        return Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
    }

    private static func unit(_ content: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> UInt32? {
        guard position + 4 <= content.count else { return nil }
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = value(ofHexDigit: content[position]) else { return nil }
            unit = unit << 4 | digit
            position += 1
        }
        return unit
    }
}
