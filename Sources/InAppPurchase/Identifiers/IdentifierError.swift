/// A mistake in a string that should be an ``Identifier``.
public enum IdentifierError: Error, Hashable, Sendable {
    /// The string is empty.
    case empty
    /// The string has a control character or a line separator.
    case controlCharacter
}
