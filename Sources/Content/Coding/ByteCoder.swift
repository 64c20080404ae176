/// One coding in one direction, fed in pieces. Not to be used by two threads at once.
protocol ByteCoder: AnyObject {
    /// Takes bytes off the front of `input` and puts bytes at the front of `output`, of which neither may be all.
    ///
    /// - Parameter isLast: nothing comes after `input`.
    func step(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingError) -> CodingStep
}

/// What one step did.
struct CodingStep: Hashable {
    /// How many bytes of the input are done with.
    var taken: Int
    /// How many bytes of the output are filled.
    var put: Int
    /// The last byte of the coded stream was taken or put; what follows in the input is no part of it.
    var isComplete: Bool
}

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
