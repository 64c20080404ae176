import CZstd

/// Encodes one Zstandard frame (RFC 8878) with the size of its content in its header.
///
/// With a base, it is the frame that `zstd --patch-from` makes: the base is a raw dictionary (§5), and the window holds
/// the whole content, since the base cannot be referred to beyond it.
final class ZstdEncoder: ByteCoder {
    /// The highest level with a window of at most 8 MiB, the most that receivers of `Content-Encoding: zstd` must
    /// support (RFC 9659).
    static let highestLevel: Int32 = 19
    /// The size from which `zstd --patch-from` also uses long-distance matching, at this level: its other tables reach
    /// no further.
    static let longDistanceBytes = 8 << 20

    private let context: OpaquePointer
    /// Kept alive because the context refers to it.
    private let base: PatchBase?

    /// - Parameters:
    ///   - size: of the content, in bytes. Content of another size is refused at its end.
    ///   - base: the older file, for a patch.
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
        return CodingStep(consumed: source.pos, put: target.pos, isComplete: isLast && left == 0)
    }

    private func set(_ parameter: ZSTD_cParameter, _ value: Int32) throws(CodingError) {
        try Zstd.check(ZSTD_CCtx_setParameter(context, parameter, value))
    }

    /// The window size that the `zstd` tool chooses.
    private static func windowLog(holding size: Int) -> Int32 {
        let bounds = ZSTD_cParam_getBounds(ZSTD_c_windowLog)
        return min(max(Int32(Int.bitWidth - size.leadingZeroBitCount), bounds.lowerBound), bounds.upperBound)
    }
}

/// The result of one step of a ``ByteCoder``.
struct CodingStep: Hashable {
    /// The number of input bytes consumed.
    var consumed: Int
    /// The number of output bytes written.
    var put: Int
    /// Whether the coded stream has ended; the input that follows is not part of it.
    var isComplete: Bool
}
