/// One coding in one direction, fed in pieces. Not to be used by two threads at once.
protocol ByteCoder: AnyObject {
    /// Takes bytes off the front of `input` and puts bytes at the front of `output`, of which neither may be all.
    ///
    /// - Parameter isLast: nothing comes after `input`.
    func step(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingError) -> CodingStep
}
