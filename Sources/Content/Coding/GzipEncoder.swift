import CZlib

/// Encodes one member of the gzip format (RFC 1952), without name and time, so that the output is reproducible.
final class GzipEncoder: ByteCoder {
    private let stream = ZlibStream()

    init(level: Int32 = Z_BEST_COMPRESSION) throws(CodingError) {
        try stream.check(
            deflateInit2_(
                stream.state, level, Z_DEFLATED, ZlibStream.gzipWindowBits, ZlibStream.memoryLevel,
                Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)))
    }

    deinit { deflateEnd(stream.state) }

    func step(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingError) -> CodingStep {
        try stream.step(input, output) { deflate(stream.state, isLast ? Z_FINISH : Z_NO_FLUSH) }
    }
}
