/// An ID that can be selected as one word. Lists show the beginning of a long one, and all of it on pointing.
package struct CodeText: Sendable {
    let text: String
    /// The whole text of a long ID.
    let title: String?

    init(_ text: String) {
        self.text = text
        title = text.isLongID ? text : nil
    }
}

extension String {
    /// Whether it is a UUID, a digest, or of another form that nobody reads to its end.
    var isLongID: Bool {
        let isHex = allSatisfy { $0.isHexDigit || $0 == "-" }
        return isHex && utf8.count >= 32 || hasPrefix("r_") && utf8.count > 12
    }
}
