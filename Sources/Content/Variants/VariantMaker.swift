import Basics
import CZlib
import CZstd
import Crypto
import SystemPackage

/// Makes variants of one file, and verifies each by decoding it again. Blocks.
struct VariantMaker {
    /// The minimum size: smaller files fit into one packet as they are.
    static let smallestBytes = 1024
    /// The size above which files are compressed at a lower level: a gigabyte then takes a minute, not ten.
    static let thoroughBytes = 64 << 20
    static let quickLevel: Int32 = 9
    /// The number of bytes after which incompressible input such as sound and pictures is recognised.
    static let probeBytes = 8 << 20

    let path: FilePath
    let file: Manifest.File
    /// Called at every chunk; what it throws ends the work.
    let checkpoint: () throws -> Void
    /// Called at every chunk with how many of the file's bytes were encoded or decoded since the last call.
    var progress: (Int) -> Void = { _ in }

    /// The maximum size of a variant: savings of less than a tenth are not worth the space and the client's work.
    static func limit(below size: Int) -> Int { size - size / 10 }

    /// Writes a variant into an empty file.
    ///
    /// - Parameters:
    ///   - base: the older file, for a patch.
    ///   - limit: the maximum size of the variant, in bytes.
    ///   - target: opened for reading, too.
    /// - Returns: `nil` if the variant exceeds the limit or saves too little; the target then has partial contents.
    /// - Throws: ``CodingError``; ``ContentError`` if the file does not match the manifest; `Errno`.
    func make(
        _ encoding: ContentVariant.Encoding, from base: PatchBase? = nil, limit: Int, into target: FileDescriptor
    ) throws -> ContentVariant? {
        let source = try FileDescriptor.open(path, .readOnly, options: [.noFollow, .nonBlocking, .closeOnExec])
        return try source.closeAfter {
            var digest = SHA256()
            let run: CodingRun
            do {
                run = try CodingRun(source, through: encoder(encoding, base), checkpoint: giveUp(beyond: limit)) {
                    digest.update(bufferPointer: $0)
                    try target.writeAll($0)
                }
            } catch is TooLittle {
                return nil
            }
            guard run.put <= limit else { return nil }
            try prove(target, decoder(encoding, base))
            let sha256 = digest.finalize().hex
            return ContentVariant(encoding, from: base?.sha256, size: run.put, sha256: sha256)
        }
    }

    private struct TooLittle: Error {}

    private func giveUp(beyond limit: Int) -> (CodingRun) throws -> Void {
        var seen = 0
        return { run in
            try checkpoint()
            progress(run.consumed - seen)
            seen = run.consumed
            let isHopeless = run.consumed >= Self.probeBytes && run.put > Self.limit(below: run.consumed)
            if run.put > limit || isHopeless { throw TooLittle() }
        }
    }

    private func encoder(_ encoding: ContentVariant.Encoding, _ base: PatchBase?) throws -> any ByteCoder {
        switch encoding {
        case .gzip: return try GzipEncoder()
        case .zstd, .dcz, .patch:
            let level = file.size > Self.thoroughBytes && base == nil ? Self.quickLevel : ZstdEncoder.highestLevel
            return try ZstdEncoder(level: level, size: file.size, base: base)
        }
    }

    private func decoder(_ encoding: ContentVariant.Encoding, _ base: PatchBase?) throws -> any ByteCoder {
        encoding == .gzip ? try GzipDecoder() : try ZstdDecoder(base: base)
    }

    /// - Throws: if the decoded variant is not the file.
    private func prove(_ variant: FileDescriptor, _ decoder: any ByteCoder) throws {
        var digest = SHA256()
        try variant.seek(offset: 0, from: .start)
        var seen = 0
        let reportRun = { (run: CodingRun) in
            try checkpoint()
            progress(run.put - seen)
            seen = run.put
        }
        _ = try CodingRun(variant, through: decoder, checkpoint: reportRun) { digest.update(bufferPointer: $0) }
        guard digest.finalize().hex == file.sha256 else { throw ContentError(path.string, .changing) }
    }
}

/// Decodes one member of the gzip format (RFC 1952).
final class GzipDecoder: ByteCoder {
    private let stream = ZlibStream()

    init() throws(CodingError) {
        try stream.check(
            inflateInit2_(stream.state, ZlibStream.gzipWindowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)))
    }

    deinit { inflateEnd(stream.state) }

    func step(
        _ input: UnsafeRawBufferPointer, isLast: Bool, into output: UnsafeMutableRawBufferPointer
    ) throws(CodingError) -> CodingStep {
        try stream.step(input, output) { inflate(stream.state, Z_NO_FLUSH) }
    }
}

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
