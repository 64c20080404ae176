/// A source of random bytes suitable for keys: returns `count` bytes.
typealias RandomBytes = @Sendable (_ count: Int) -> [UInt8]

/// The system's random number generator.
let systemRandomBytes: RandomBytes = { count in
    // Eight bytes at a time, since each word is a system call.
    var generator = SystemRandomNumberGenerator()
    let words = (0..<(count + 7) / 8).map { _ in generator.next() }
    return Array(words.withUnsafeBytes { $0.prefix(count) })
}
