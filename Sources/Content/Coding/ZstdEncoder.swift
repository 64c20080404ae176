import CZstd

/// Makes one Zstandard frame (RFC 8878) that tells the size of its content.
///
/// With a base it is the frame that `zstd --patch-from` makes: the base is a raw dictionary (§5), and the window holds
/// the whole content, since nothing of the base can be referred to beyond it.
final class ZstdEncoder: ByteCoder {
    /// The highest whose window is 8 MiB at most: more, receivers of `Content-Encoding: zstd` need not take (RFC 9659).
    static let highestLevel: Int32 = 19
    /// From here on `zstd --patch-from` looks for long matches too, at this level: its other tables reach no further.
    static let longDistanceBytes = 8 << 20

    private let context: OpaquePointer
    /// The context refers to it for as long as it lives.
    private let base: PatchBase?

    /// - Parameters:
    ///   - size: of the content, in bytes. Content of another size is refused at its end.
    ///   - base: what the frame is to be a difference from.
    init(level: Int32 = highestLevel, size: Int, base: PatchBase? = nil) throws(CodingError) {
        guard let context = ZSTD_createCCtx() else { throw .outOfMemory }
        self.context = context
        self.base = base
        try set(ZSTD_c_compressionLevel, level)
        try Zstd.check(ZSTD_CCtx_setPledgedSrcSize(context, UInt64(clamping: size)))
        guard let base else { return }
        try set(ZSTD_c_windowLog, Self.windowLog(holding: size))
        if max(size, base.bytes.count) >= Self.longDistanceBytes { try set(ZSTD_c_enableLongDistanceMatching, 1) }
        try Zstd.check(ZSTD_CCtx_refPrefix(context, base.bytes.baseAddress, base.bytes.count))
    }

    deinit { ZSTD_freeCCtx(context) }

    func step(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingError) -> CodingStep {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let operation = isLast ? ZSTD_e_end : ZSTD_e_continue
        let left = try Zstd.check(ZSTD_compressStream2(context, &target, &source, operation))
        return CodingStep(taken: source.pos, put: target.pos, isComplete: isLast && left == 0)
    }

    private func set(_ parameter: ZSTD_cParameter, _ value: Int32) throws(CodingError) {
        try Zstd.check(ZSTD_CCtx_setParameter(context, parameter, value))
    }

    /// As the tool of the library chooses it.
    private static func windowLog(holding size: Int) -> Int32 {
        let bounds = ZSTD_cParam_getBounds(ZSTD_c_windowLog)
        return min(max(Int32(Int.bitWidth - size.leadingZeroBitCount), bounds.lowerBound), bounds.upperBound)
    }
}
