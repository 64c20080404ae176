import CZlib
import Foundation
import Synchronization

/// Deflates and inflates short texts in one step, without a frame, and with a dictionary of what they have in common
/// (RFC 1951, zlib's `deflateSetDictionary`).
enum RawDeflate {
    /// 32 KiB without a frame, as zlib counts it: whatever was deflated can be inflated.
    private static let windowBits: Int32 = -15
    /// 4 KiB, which the dictionary and a text fit in. Clearing the tables for more costs as much as deflating.
    private static let deflateWindowBits: Int32 = -12
    private static let memoryLevel: Int32 = 5

    /// A stream that has read a dictionary and nothing else, of which each deflation takes a copy: to read it again
    /// costs as much as a short text.
    // Sendable: the stream is used under the lock only, and stays where it is, since zlib points back to it.
    private final class Prepared: @unchecked Sendable {
        private let lock = Mutex(())
        private let dictionary: Data
        private let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        private var isReady = false

        init(_ dictionary: Data) {
            self.dictionary = dictionary
            stream.initialize(to: z_stream())
        }

        deinit {
            if isReady { deflateEnd(stream) }
            stream.deallocate()
        }

        func fits(_ dictionary: Data) -> Bool { self.dictionary == dictionary }

        /// Makes `copy` a copy of the stream; `false` without memory.
        func copy(to copy: inout z_stream) -> Bool {
            lock.withLock { _ in
                isReady = isReady || RawDeflate.prepare(stream, dictionary)
                return isReady && deflateCopy(&copy, stream) == Z_OK
            }
        }
    }

    private static let prepared = Mutex<Prepared?>(nil)

    private static func prepared(with dictionary: Data) -> Prepared {
        prepared.withLock { known in
            if let known, known.fits(dictionary) { return known }
            let new = Prepared(dictionary)
            known = new
            return new
        }
    }

    private static func prepare(_ stream: UnsafeMutablePointer<z_stream>, _ dictionary: Data) -> Bool {
        guard
            deflateInit2_(
                stream, Z_BEST_COMPRESSION, Z_DEFLATED, deflateWindowBits, memoryLevel, Z_DEFAULT_STRATEGY,
                ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
        else { return false }
        if set(dictionary, { deflateSetDictionary(stream, $0, $1) }) { return true }
        deflateEnd(stream)
        return false
    }

    /// The deflated bytes; `nil` without memory.
    static func deflated(_ bytes: Data, with dictionary: Data) -> Data? {
        var stream = z_stream()
        guard prepared(with: dictionary).copy(to: &stream) else { return nil }
        defer { deflateEnd(&stream) }
        let room = Int(clamping: deflateBound(&stream, UInt(clamping: bytes.count)))
        return run(&stream, bytes, room: room) { deflate(&$0, Z_FINISH) }
    }

    /// The bytes that were deflated; `nil` if they are not of this length.
    static func inflated(_ bytes: Data, length: Int, with dictionary: Data) -> Data? {
        var stream = z_stream()
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        guard set(dictionary, { inflateSetDictionary(&stream, $0, $1) }) else { return nil }
        // One byte more, so that a longer text is seen to be longer.
        let result = run(&stream, bytes, room: length &+ 1) { inflate(&$0, Z_FINISH) }
        return result?.count == length ? result : nil
    }

    private static func set(_ dictionary: Data, _ set: (UnsafePointer<UInt8>?, UInt32) -> Int32) -> Bool {
        dictionary.withUnsafeBytes { set($0.bindMemory(to: UInt8.self).baseAddress, UInt32(clamping: $0.count)) }
            == Z_OK
    }

    /// Runs all input through the stream at once; `nil` if it does not end there.
    private static func run(
        _ stream: inout z_stream, _ input: Data, room: Int, _ step: (inout z_stream) -> Int32
    ) -> Data? {
        var output = Data(count: room)
        let (end, count) = input.withUnsafeBytes { input in
            output.withUnsafeMutableBytes { output in
                // zlib does not write to its input.
                stream.next_in = UnsafeMutablePointer(mutating: input.bindMemory(to: UInt8.self).baseAddress)
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = output.bindMemory(to: UInt8.self).baseAddress
                stream.avail_out = UInt32(clamping: output.count)
                return (step(&stream), output.count - Int(stream.avail_out))
            }
        }
        guard end == Z_STREAM_END, stream.avail_in == 0 else { return nil }
        return output.prefix(count)
    }
}
