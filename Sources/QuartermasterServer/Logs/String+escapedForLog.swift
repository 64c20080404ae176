import InAppPurchase

extension String {
    /// The string on one line: control characters, line separators and bidirectional controls are escaped as `\n`,
    /// `\r`, `\t` or, for all others, `\u{1B}` and the like.
    var escapedForLog: String {
        // Most are printable ASCII, and need no look-up in Unicode's tables.
        guard utf8.contains(where: { !(0x20...0x7E).contains($0) }), hasControlCharacters || hasBidirectionalControls
        else { return self }
        return unicodeScalars.reduce(into: "") { text, scalar in
            switch scalar {
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case _ where scalar.isControlCharacter || scalar.properties.isBidiControl:
                text += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
