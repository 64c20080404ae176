/// A mistake in a text that should be an ``Identifier``.
public enum IdentifierError: Error, Hashable, Sendable {
    /// The text has no characters.
    case empty
    /// The text has a control character or a line separator.
    case controlCharacter
}
