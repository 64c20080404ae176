import Foundation

/// Escapes strings so that a database stores them whole: PostgreSQL does not allow U+0000, and SQLite's own functions
/// end a string there. Both get the same escaped string.
///
/// The last code point of Unicode, a noncharacter, is the escape: before `0` it stands for U+0000, before `1` for
/// itself. So two strings are equal, or one is a prefix of the other, if and only if their stored forms are.
package enum StoredText {
    private static let mark: Unicode.Scalar = "\u{10FFFF}"
    /// The first byte of the escape in UTF-8; no assigned code point has it.
    private static let markByte: UInt8 = 0xF4

    package static func encode(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0 || $0 == markByte }) else { return text }
        var stored = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\0": stored.append(contentsOf: [mark, "0"])
            case mark: stored.append(contentsOf: [mark, "1"])
            default: stored.append(scalar)
            }
        }
        return String(stored)
    }

    /// Appends the UTF-8 of the stored form.
    package static func append(_ text: String, to bytes: inout [UInt8]) {
        // With functions of C: a receipt has thousands of characters, which would otherwise be examined byte by byte.
        let isAppended = text.utf8.withContiguousStorageIfAvailable { characters in
            guard !characters.has(0), !characters.has(markByte) else { return false }
            bytes.append(contentsOf: characters)
            return true
        }
        if isAppended != true { bytes.append(contentsOf: encode(text).utf8) }
    }

    package static func decode(_ stored: String) -> String {
        guard stored.utf8.contains(markByte) else { return stored }
        var text = String.UnicodeScalarView()
        var scalars = stored.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == mark else {
                text.append(scalar)
                continue
            }
            // Anything else was not written by this server; it stays as it is.
            switch scalars.next() {
            case "0": text.append("\0")
            case "1": text.append(mark)
            case let other: text.append(contentsOf: [mark] + (other.map { [$0] } ?? []))
            }
        }
        return String(text)
    }

    /// Decodes the UTF-8 of a stored form.
    package static func decode(_ stored: UnsafeBufferPointer<UInt8>) -> String {
        let text = String(decoding: stored, as: UTF8.self)
        return stored.has(markByte) ? decode(text) : text
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate func has(_ byte: UInt8) -> Bool {
        guard let baseAddress else { return false }
        return memchr(baseAddress, Int32(byte), count) != nil
    }
}
