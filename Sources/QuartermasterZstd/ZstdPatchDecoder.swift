internal import CZstd
public import Foundation
public import QuartermasterClient

/// Applies patches of `zstd --patch-from` with libzstd.
///
/// The older file is mapped, not read. The new one is written as it is decoded, with a window of at most 128 MiB.
public struct ZstdPatchDecoder: PatchDecoder {
    /// A patch that does not make the file.
    public enum Failure: Error, Equatable {
        /// libzstd refuses it.
        case refused(String)
        /// It ends too early, or continues after its end.
        case incomplete
        /// It makes more or less than the file.
        case wrongSize
        /// There is not enough memory.
        case outOfMemory
    }

    /// The binary logarithm of the largest window: 128 MiB.
    private static let maximumWindowLog: Int32 = 27

    public init() {}

    public func apply(_ patch: URL, to base: URL, writing target: URL, size: Int) throws {
        guard FileManager.default.createFile(atPath: target.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown)
        }
        let output = try FileHandle(forWritingTo: target)
        defer { try? output.close() }
        let input = try FileHandle(forReadingFrom: patch)
        defer { try? input.close() }
        let prefix = try Data(contentsOf: base, options: .alwaysMapped)
        try prefix.withUnsafeBytes { prefix in try Self.decode(input, with: prefix, into: output, size: size) }
    }

    private static func decode(
        _ input: FileHandle, with prefix: UnsafeRawBufferPointer, into output: FileHandle, size: Int
    ) throws {
        guard let context = ZSTD_createDCtx() else { throw Failure.outOfMemory }
        defer { ZSTD_freeDCtx(context) }
        try check(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, maximumWindowLog))
        try check(ZSTD_DCtx_refPrefix(context, prefix.baseAddress, prefix.count))
        var rest = size
        var isComplete = false
        while let piece = try input.read(upToCount: ZSTD_DStreamInSize()), !piece.isEmpty {
            guard !isComplete else { throw Failure.incomplete }
            isComplete = try piece.withUnsafeBytes { piece in
                try decode(piece, in: context, rest: &rest) { try output.write(contentsOf: $0) }
            }
        }
        guard isComplete else { throw Failure.incomplete }
        guard rest == 0 else { throw Failure.wrongSize }
    }

    /// - Returns: whether the frame has ended.
    private static func decode(
        _ piece: UnsafeRawBufferPointer, in context: OpaquePointer, rest: inout Int, write: (Data) throws -> Void
    ) throws -> Bool {
        let room = ZSTD_DStreamOutSize()
        let buffer = UnsafeMutableRawPointer.allocate(byteCount: room, alignment: 1)
        defer { buffer.deallocate() }
        var source = ZSTD_inBuffer(src: piece.baseAddress, size: piece.count, pos: 0)
        while true {
            var made = ZSTD_outBuffer(dst: buffer, size: room, pos: 0)
            let left = try check(ZSTD_decompressStream(context, &made, &source))
            guard made.pos <= rest else { throw Failure.wrongSize }
            rest -= made.pos
            if made.pos > 0 { try write(Data(bytesNoCopy: buffer, count: made.pos, deallocator: .none)) }
            if left == 0 {
                guard source.pos == source.size else { throw Failure.incomplete }
                return true
            }
            // All is taken, and nothing is held back.
            if source.pos == source.size, made.pos < room { return false }
        }
    }

    @discardableResult private static func check(_ result: Int) throws -> Int {
        guard ZSTD_isError(result) == 0 else { throw Failure.refused(String(cString: ZSTD_getErrorName(result))) }
        return result
    }
}
