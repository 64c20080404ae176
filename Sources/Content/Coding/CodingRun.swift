import SystemPackage

/// Streams one file through one coder, in chunks. Blocks for as long as that takes.
struct CodingRun {
    /// The bytes of one read or write.
    static let chunkBytes = FileDigest.chunkBytes

    /// The number of bytes consumed so far.
    private(set) var consumed = 0
    /// The number of bytes produced so far.
    private(set) var put = 0

    private let sink: (UnsafeRawBufferPointer) throws -> Void
    private let checkpoint: (CodingRun) throws -> Void

    /// Passes the rest of the file through the coder.
    ///
    /// - Parameters:
    ///   - checkpoint: called at least once for each chunk consumed or produced; what it throws ends the run.
    ///   - sink: receives the output; the bytes are valid only until it returns.
    /// - Throws: ``CodingError``, `Errno`, and what the closures throw.
    init(
        _ file: FileDescriptor, through coder: some ByteCoder, checkpoint: @escaping (CodingRun) throws -> Void,
        sink: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        self.sink = sink
        self.checkpoint = checkpoint
        let input = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 1)
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkBytes, alignment: 1)
        defer {
            input.deallocate()
            output.deallocate()
        }
        var (isComplete, isLast) = (false, false)
        while !isLast {
            let chunk = UnsafeRawBufferPointer(rebasing: input.prefix(try file.read(into: input)))
            isLast = chunk.isEmpty
            guard !isComplete else {
                if isLast { return } else { throw CodingError.trailingBytes }
            }
            isComplete = try feed(chunk, isLast: isLast, to: coder, output: output)
        }
    }

    /// - Returns: whether the coded stream is complete.
    private mutating func feed(
        _ chunk: UnsafeRawBufferPointer, isLast: Bool, to coder: some ByteCoder, output: UnsafeMutableRawBufferPointer
    ) throws -> Bool {
        var rest = chunk
        while true {
            let step = try coder.step(rest, isLast: isLast, into: output)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(step.consumed))
            (consumed, put) = (consumed + step.consumed, put + step.put)
            if step.put > 0 { try sink(UnsafeRawBufferPointer(rebasing: output.prefix(step.put))) }
            // A small chunk can produce a large output.
            try checkpoint(self)
            if step.isComplete {
                guard rest.isEmpty else { throw CodingError.trailingBytes }
                return true
            }
            if step.consumed == 0 && step.put == 0 {
                guard rest.isEmpty && !isLast else { throw CodingError.truncated }
                return false
            }
        }
    }
}

/// A streaming encoder or decoder. Not to be used by two threads at once.
protocol ByteCoder: AnyObject {
    /// Consumes bytes from the front of `input` and writes bytes to the front of `output`; neither needs to be used up.
    ///
    /// - Parameter isLast: `true` if nothing comes after `input`.
    func step(_ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer)
        throws(CodingError) -> CodingStep
}

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
