/// A streaming encoder or decoder. Not to be used by two threads at once.
protocol ByteCoder: AnyObject {
    /// Consumes bytes from the front of `input` and writes bytes to the front of `output`; neither needs to be used up.
    ///
    /// - Parameter isLast: `true` if nothing comes after `input`.
    func step(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingError) -> CodingStep
}
