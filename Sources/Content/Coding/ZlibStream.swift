import CZlib

/// The state of a zlib coder, at a stable address: the library compares it.
final class ZlibStream {
    /// The largest window, plus 16 for the header and checksum of gzip.
    static let gzipWindowBits = MAX_WBITS + 16
    /// The maximum; 256 KiB.
    static let memoryLevel = MAX_MEM_LEVEL

    let state: UnsafeMutablePointer<z_stream>

    init() {
        state = .allocate(capacity: 1)
        state.initialize(to: z_stream())
    }

    deinit { state.deallocate() }

    /// - Throws: ``CodingError`` if the result of a zlib function is an error.
    @discardableResult
    func check(_ result: Int32) throws(CodingError) -> Int32 {
        switch result {
        // Without progress there is no error: it needs more input, or more room.
        case Z_OK, Z_STREAM_END, Z_BUF_ERROR: return result
        case Z_MEM_ERROR: throw .outOfMemory
        default: throw .refused(String(cString: zError(result)))
        }
    }

    func step(
        _ input: UnsafeRawBufferPointer, _ output: UnsafeMutableRawBufferPointer, _ code: () -> Int32
    ) throws(CodingError) -> CodingStep {
        let (offered, room) = (UInt32(clamping: input.count), UInt32(clamping: output.count))
        // zlib only reads there, although the pointer's type is mutable.
        state.pointee.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
        state.pointee.next_out = output.bindMemory(to: UInt8.self).baseAddress
        (state.pointee.avail_in, state.pointee.avail_out) = (offered, room)
        let result = try check(code())
        return CodingStep(
            consumed: Int(offered) - Int(state.pointee.avail_in), put: Int(room) - Int(state.pointee.avail_out),
            isComplete: result == Z_STREAM_END)
    }
}
