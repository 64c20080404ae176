import InAppPurchase

/// The ID that the studio's own systems have for a player. Compared byte for byte: two that look alike are two players.
package struct ExternalID: Sendable {
    /// The maximum number of Unicode scalars.
    package static let maximumCharacters = 128

    package let text: String

    /// - Returns: `nil` if the string is empty, longer than ``maximumCharacters``, or has control characters or line
    ///   separators.
    package init?(_ text: String) {
        let scalars = text.unicodeScalars
        guard !scalars.isEmpty, scalars.count <= Self.maximumCharacters, !text.hasControlCharacters else { return nil }
        self.text = text
    }
}

extension ExternalID: Hashable {
    package static func == (first: Self, second: Self) -> Bool { first.text.utf8.elementsEqual(second.text.utf8) }

    package func hash(into hasher: inout Hasher) { for byte in text.utf8 { hasher.combine(byte) } }
}
