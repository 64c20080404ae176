package import NIOCore
import StrictJSON
import Synchronization

/// Generates the IDs of requests, `X-Request-Id`: 128 random bits each, so that no ID reveals another, or how many
/// there were.
package final class RequestIDs: Sendable {
    /// The metadata key of the ID in the log, which is the framework's.
    package static let logKey = "hb.request.id"

    private static let size = 16
    /// The number of IDs that are made in advance, so that not every request asks the system for random bytes.
    private static let batch = 256

    private let random: RandomBytes
    private let ready = Mutex<[UInt8]>([])

    /// - Parameter random: must return unpredictable bytes.
    package init(_ random: @escaping RandomBytes) { self.random = random }

    /// An ID, 32 hexadecimal digits in lower case.
    package func next() -> String { nextID().description }

    /// An ID that is not formatted yet.
    package func nextID() -> ID {
        ready.withLock { ready in
            if ready.count < Self.size { ready = random(Self.size * Self.batch) }
            defer { ready.removeLast(min(Self.size, ready.count)) }
            return ID(ready.suffix(Self.size))
        }
    }

    /// The random bits of an ID.
    package struct ID: CustomStringConvertible, Sendable {
        /// The length of its text.
        package static let characters = 2 * size

        private let high: UInt64
        private let low: UInt64

        /// - Parameter bytes: the most significant first.
        fileprivate init(_ bytes: some Collection<UInt8>) {
            let bits = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
            high = UInt64(truncatingIfNeeded: bits >> 64)
            low = UInt64(truncatingIfNeeded: bits)
        }

        /// 32 hexadecimal digits in lower case.
        package var description: String {
            var buffer = ByteBuffer()
            write(to: &buffer)
            return String(buffer: buffer)
        }

        package func write(to buffer: inout ByteBuffer) {
            buffer.writeMultipleIntegers(
                Self.digits(of: high >> 32), Self.digits(of: high & 0xFFFF_FFFF), Self.digits(of: low >> 32),
                Self.digits(of: low & 0xFFFF_FFFF))
        }

        /// The hexadecimal digits of a number of 32 bits, as the bytes of a larger one.
        private static func digits(of number: UInt64) -> UInt64 {
            var nibbles = (number | number << 16) & 0x0000_FFFF_0000_FFFF
            nibbles = (nibbles | nibbles << 8) & 0x00FF_00FF_00FF_00FF
            nibbles = (nibbles | nibbles << 4) & 0x0F0F_0F0F_0F0F_0F0F
            // 1 in the bytes of digits above 9, which are letters.
            let letters = (nibbles &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
            return nibbles &+ 0x3030_3030_3030_3030 &+ letters &* 0x27
        }
    }
}
