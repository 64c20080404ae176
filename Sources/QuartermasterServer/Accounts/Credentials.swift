/// Where random bytes come from: `count` in, as many bytes out, fit for keys.
typealias RandomBytes = @Sendable (_ count: Int) -> [UInt8]

/// The system's generator.
let systemRandomBytes: RandomBytes = { count in
    // Eight at a time: each word is a call of the system.
    var generator = SystemRandomNumberGenerator()
    let words = (0..<(count + 7) / 8).map { _ in generator.next() }
    return Array(words.withUnsafeBytes { $0.prefix(count) })
}
