extension String {
    /// The string, which a client or a store wrote, with replacement characters for whatever could control an
    /// operator's terminal.
    package var withoutControlCharacters: String {
        let replacement: Unicode.Scalar = "\u{FFFD}"
        let drives: Set<Unicode.GeneralCategory> = [.control, .format, .lineSeparator, .paragraphSeparator]
        return String(
            String.UnicodeScalarView(
                unicodeScalars.map { drives.contains($0.properties.generalCategory) ? replacement : $0 }))
    }
}
