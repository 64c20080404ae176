import CZstd

/// Decodes one Zstandard frame (RFC 8878), with a window of at most 128 MiB, which limits its memory.
final class ZstdDecoder: ByteCoder {
    private let context: OpaquePointer
    /// Kept alive because the context refers to it.
    private let base: PatchBase?

    /// - Parameter base: the older file, if the frame is a patch.
    init(base: PatchBase? = nil) throws(CodingError) {
        guard let context = ZSTD_createDCtx() else { throw .outOfMemory }
        self.context = context
        self.base = base
        guard let base else { return }
        try Zstd.check(ZSTD_DCtx_refPrefix(context, base.bytes.baseAddress, base.bytes.count))
    }

    deinit { ZSTD_freeDCtx(context) }

    func step(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingError) -> CodingStep {
        var source = ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
        var target = ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
        let left = try Zstd.check(ZSTD_decompressStream(context, &target, &source))
        return CodingStep(consumed: source.pos, put: target.pos, isComplete: left == 0)
    }
}
