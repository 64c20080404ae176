/// Texts as a database can keep them whole: PostgreSQL has no U+0000, and SQLite's own functions, like the binding that
/// hands it C strings, end a text there. Both are given the same.
///
/// The last code point of Unicode, which no text means anything by, marks a replacement: before `0` it stands for U+0000,
/// before `1` for itself. So two texts are the same, or one begins with the other, where what is kept for them is.
package enum StoredText {
    private static let mark: Unicode.Scalar = "\u{10FFFF}"
    /// The first byte of the mark in UTF-8, and of no code point in use.
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

    package static func decode(_ stored: String) -> String {
        guard stored.utf8.contains(markByte) else { return stored }
        var text = String.UnicodeScalarView()
        var scalars = stored.unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == mark else {
                text.append(scalar)
                continue
            }
            // Anything else was not written here; it is kept as it is.
            switch scalars.next() {
            case "0": text.append("\0")
            case "1": text.append(mark)
            case let other: text.append(contentsOf: [mark] + (other.map { [$0] } ?? []))
            }
        }
        return String(text)
    }
}
