import Foundation
import Synchronization

/// The time with which lines of the log begin: local, to the second, with the offset from UTC.
final class LogClock: Sendable {
    static let shared = LogClock { time(nil) }

    private let seconds: @Sendable () -> time_t
    private let latest = Mutex<(second: time_t, text: String)?>(nil)

    /// - Parameter seconds: the seconds since 1970, as they are now.
    init(_ seconds: @escaping @Sendable () -> time_t) { self.seconds = seconds }

    /// The current time. It is formatted once a second, which also checks whether the machine's time zone has changed.
    var text: String {
        let now = seconds()
        return latest.withLock { latest in
            if let latest, latest.second == now { return latest.text }
            let text = Self.text(now)
            latest = (now, text)
            return text
        }
    }

    private static func text(_ second: time_t) -> String {
        var (second, local) = (second, tm())
        tzset()
        guard localtime_r(&second, &local) != nil else { return "<unknown>" }
        var characters = [CChar](repeating: 0, count: 64)
        let count = strftime(&characters, characters.count, "%Y-%m-%dT%H:%M:%S%z", &local)
        return String(decoding: characters.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
