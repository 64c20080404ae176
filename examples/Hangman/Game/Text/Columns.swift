/// Counts the columns of text in a terminal.
package enum Columns {
    /// The ranges of scalars that fill two columns: East Asian scripts, full-width forms and pictographs.
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x231A...0x231B, 0x2E80...0x303E, 0x3041...0x4DBF, 0x4E00...0xA4CF, 0xA960...0xA97F,
        0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F300...0x1F64F,
        0x1F680...0x1F6FF, 0x1F900...0x1FAFF, 0x20000...0x3FFFD,
    ]

    /// Sums the columns of the characters. Combining marks fill none of their own.
    package static func width(_ text: String) -> Int {
        text.reduce(0) { $0 &+ width($1) }
    }

    /// The columns of one character: 0, 1 or 2.
    package static func width(_ character: Character) -> Int {
        var columns = 0
        for scalar in character.unicodeScalars {
            if scalar.value == 0xFE0F { return 2 }
            columns = max(columns, width(scalar))
        }
        return columns
    }

    private static func width(_ scalar: Unicode.Scalar) -> Int {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: 0
        default: wide.contains { $0.contains(scalar.value) } ? 2 : 1
        }
    }

    /// As many whole characters from the beginning as fit.
    package static func prefix(_ text: String, _ columns: Int) -> String {
        var left = columns
        return String(
            text.prefix { character in
                left -= width(character)
                return left >= 0
            })
    }

    /// The text without characters that would move a terminal's cursor or turn its direction.
    package static func printable(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.filter {
                    switch $0.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator, .surrogate: false
                    case .format: $0.value == 0x200D
                    default: true
                    }
                }))
    }

    /// Breaks text at spaces into lines of at most as many columns; a longer word is cut.
    package static func wrap(_ text: String, _ columns: Int) -> [String] {
        guard columns > 0 else { return [] }
        var lines: [String] = []
        for word in text.split(separator: " ") {
            if let last = lines.last, width(last) + 1 + width(String(word)) <= columns {
                lines[lines.endIndex - 1] = last + " " + word
            } else {
                lines.append(prefix(String(word), columns))
            }
        }
        return lines
    }
}
