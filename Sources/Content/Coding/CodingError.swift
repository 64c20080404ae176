/// The reasons why bytes cannot be encoded or decoded.
package enum CodingError: Error, Hashable, Sendable {
    /// The library cannot allocate memory.
    case outOfMemory
    /// The library's error message: damaged input, or a wrong base of a patch.
    case refused(String)
    /// The input ends inside the coded stream.
    case truncated
    /// There is more input after the coded stream.
    case trailingBytes
    /// The output exceeds the limit, in bytes.
    case tooLong(limit: Int)
}
