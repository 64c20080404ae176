/// The result of one step of a ``ByteCoder``.
struct CodingStep: Hashable {
    /// The number of input bytes consumed.
    var consumed: Int
    /// The number of output bytes written.
    var put: Int
    /// Whether the coded stream has ended; the input that follows is not part of it.
    var isComplete: Bool
}
