import Mustache

/// The escaping of strings in the pages, for elements and for attributes in quotes.
///
/// Mustache's own compares characters: `"` followed by a combining mark is another character than `"`, is not escaped,
/// and ends an attribute. This one escapes Unicode scalars, as browsers read them.
struct HTMLEscaping: MustacheContentType {
    /// The name by which templates ask for it.
    static let name = "QUARTERMASTER"

    func escapeText(_ text: String) -> String {
        var escaped = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar {
            case "<": escaped.append(contentsOf: "&lt;".unicodeScalars)
            case ">": escaped.append(contentsOf: "&gt;".unicodeScalars)
            case "&": escaped.append(contentsOf: "&amp;".unicodeScalars)
            case "\"": escaped.append(contentsOf: "&quot;".unicodeScalars)
            case "'": escaped.append(contentsOf: "&#39;".unicodeScalars)
            case _ where scalar.isHiddenInPages: escaped.append("\u{FFFD}")
            default: escaped.append(scalar)
            }
        }
        return String(escaped)
    }
}

extension Unicode.Scalar {
    /// Whether pages show a mark in its place: characters that HTML forbids, and those that turn the direction of the
    /// text after them, so that one product's ID would read as another's.
    package var isHiddenInPages: Bool {
        switch value {
        case 0x20...0x7E, 0x09, 0x0A, 0x0D: false
        case 0..<0x20, 0x7F..<0xA0, 0xFDD0...0xFDEF: true
        default: value & 0xFFFE == 0xFFFE || properties.isBidiControl
        }
    }
}
