/// Bytes could not be coded.
package enum CodingError: Error, Hashable, Sendable {
    /// No memory for it.
    case outOfMemory
    /// The library's word for it: damaged input, or a wrong base of a patch.
    case refused(String)
    /// The input ends inside the coded stream.
    case truncated
    /// There is more input after the coded stream.
    case trailingBytes
    /// More comes out than may.
    case tooLong(limit: Int)
}
