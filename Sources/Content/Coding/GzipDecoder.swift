import CZlib

/// Decodes one member of the gzip format (RFC 1952).
final class GzipDecoder: ByteCoder {
    private let stream = ZlibStream()

    init() throws(CodingError) {
        try stream.check(
            inflateInit2_(
                stream.state, ZlibStream.gzipWindowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)))
    }

    deinit { inflateEnd(stream.state) }

    func step(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingError) -> CodingStep {
        try stream.step(input, output) { inflate(stream.state, Z_NO_FLUSH) }
    }
}
