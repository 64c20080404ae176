/// What one step did.
struct CodingStep: Hashable {
    /// How many bytes of the input are done with.
    var taken: Int
    /// How many bytes of the output are filled.
    var put: Int
    /// The last byte of the coded stream was taken or put; what follows in the input is no part of it.
    var isComplete: Bool
}
