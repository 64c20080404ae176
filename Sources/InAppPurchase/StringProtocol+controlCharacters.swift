extension StringProtocol {
    /// Whether a control character (Unicode's category Cc) or a line or paragraph separator (U+2028, U+2029) is in it.
    ///
    /// None belongs into an identifier or a reason: U+0000 ends the text for whatever reads C strings, and line ends
    /// begin a line of their own in a log.
    package var hasControlCharacters: Bool {
        // The usual text is printable ASCII, and that takes no table of Unicode's.
        guard utf8.contains(where: { !(0x20...0x7E).contains($0) }) else { return false }
        return unicodeScalars.contains { $0.isControlCharacter }
    }

    /// Whether a character is in it that changes the direction of the text after it (Unicode's `Bidi_Control`): a name
    /// with one reads as another name.
    package var hasBidirectionalControls: Bool { unicodeScalars.contains { $0.properties.isBidiControl } }
}

extension Unicode.Scalar {
    /// Whether it is a control character (Unicode's category Cc) or a line or paragraph separator.
    package var isControlCharacter: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
