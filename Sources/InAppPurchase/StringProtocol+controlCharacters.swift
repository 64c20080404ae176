extension StringProtocol {
    /// Whether the string has a control character (Unicode category Cc) or a line or paragraph separator (U+2028,
    /// U+2029).
    ///
    /// None belongs in an identifier or a reason: U+0000 ends the string for a reader of C strings, and line breaks
    /// forge lines in a log.
    package var hasControlCharacters: Bool {
        // The fast path: printable ASCII, the usual case, needs no look-up in Unicode's tables.
        guard utf8.contains(where: { !(0x20...0x7E).contains($0) }) else { return false }
        return unicodeScalars.contains { $0.isControlCharacter }
    }

    /// Whether the string has a character that changes the direction of the text after it (Unicode's `Bidi_Control`): a
    /// name with one looks like another name.
    package var hasBidirectionalControls: Bool { unicodeScalars.contains { $0.properties.isBidiControl } }
}

extension Unicode.Scalar {
    /// Whether it is a control character (Unicode category Cc) or a line or paragraph separator.
    package var isControlCharacter: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
