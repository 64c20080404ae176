import Basics
import Synchronization

/// Generates the IDs of requests, `X-Request-Id`: 128 random bits each, so that no ID reveals another, or how many
/// there were.
final class RequestIDs: Sendable {
    /// The metadata key of the ID in the log, which is the framework's.
    static let logKey = "hb.request.id"

    private static let size = 16
    /// The number of IDs that are made in advance, so that not every request asks the system for random bytes.
    private static let batch = 256

    private let random: RandomBytes
    private let ready = Mutex<[UInt8]>([])

    /// - Parameter random: must return unpredictable bytes.
    init(_ random: @escaping RandomBytes) { self.random = random }

    /// An ID, 32 hexadecimal digits in lower case.
    func next() -> String {
        ready.withLock { ready in
            if ready.count < Self.size { ready = random(Self.size * Self.batch) }
            defer { ready.removeLast(min(Self.size, ready.count)) }
            return ready.suffix(Self.size).hex
        }
    }
}
