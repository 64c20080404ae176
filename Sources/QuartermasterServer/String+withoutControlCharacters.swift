extension String {
    /// The text with replacement characters for what could control an operator's terminal: a client or a store wrote
    /// it.
    var withoutControlCharacters: String {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        let drives: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
        return String(
            String.UnicodeScalarView(
                unicodeScalars.map { drives.contains($0.properties.generalCategory) ? replacement : $0 }))
    }
}
