extension String {
    /// The maximum length of a language tag in bytes: what RFC 5646 §4.4.1 recommends to allow for.
    private static let maximumLanguageTagBytes = 35

    /// Whether it is a language tag by RFC 5646 §2.1, as far as that can be checked without its registry.
    package var isLanguageTag: Bool {
        utf8.count <= Self.maximumLanguageTagBytes && wholeMatch(of: /[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*/) != nil
    }
}
