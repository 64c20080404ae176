import Foundation

/// A source of random bytes suitable for keys: returns `count` bytes.
package typealias RandomBytes = @Sendable (_ count: Int) -> [UInt8]

/// The maximum number of bytes that the system gives in one call (getentropy(3)).
private let maximumEntropy = 256

/// The system's random number generator.
package let systemRandomBytes: RandomBytes = { count in
    var bytes = [UInt8](repeating: 0, count: max(0, count))
    let isFilled = bytes.withUnsafeMutableBytes { bytes in
        stride(from: 0, to: bytes.count, by: maximumEntropy).allSatisfy { offset in
            let part = UnsafeMutableRawBufferPointer(rebasing: bytes[offset...].prefix(maximumEntropy))
            return part.baseAddress.map { getentropy($0, part.count) == 0 } ?? true
        }
    }
    guard !isFilled else { return bytes }
    // Eight bytes at a time, since each word is a system call.
    var generator = SystemRandomNumberGenerator()
    let words = (0..<(bytes.count + 7) / 8).map { _ in generator.next() }
    return Array(words.withUnsafeBytes { $0.prefix(bytes.count) })
}
