import Foundation
package import Logging
import Synchronization

/// Writes one line for each event.
package struct LineLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    private let format: LogFormat
    private let stream: any TextOutputStream & Sendable

    /// - Parameter stream: receives each line whole.
    package init(_ format: LogFormat, stream: any TextOutputStream & Sendable = StandardErrorStream()) {
        self.format = format
        self.stream = stream
    }

    package subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        let message = event.message.description
        let line = format.line(at: LogClock.shared.text, event.level, message, fields(of: event))
        var stream = stream
        stream.write(line)
    }

    private func fields(of event: LogEvent) -> Logger.Metadata {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata {
            if all.isEmpty { all = own } else { all.merge(own) { $1 } }
        }
        if let error = event.error { all["error"] = "\(error)" }
        return all
    }
}

/// The time of lines of the log: RFC 3339, in UTC, to the second.
final class LogClock: Sendable {
    static let shared = LogClock { time(nil) }

    private let seconds: @Sendable () -> time_t
    private let latest = Mutex<(second: time_t, text: String)?>(nil)

    /// - Parameter seconds: the seconds since 1970, as they are now.
    init(_ seconds: @escaping @Sendable () -> time_t) { self.seconds = seconds }

    /// The current time. It is formatted once a second.
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
        var (second, time) = (second, tm())
        guard gmtime_r(&second, &time) != nil else { return "<unknown>" }
        var characters = [CChar](repeating: 0, count: 64)
        let count = strftime(&characters, characters.count, "%Y-%m-%dT%H:%M:%SZ", &time)
        return String(decoding: characters.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Standard error, unbuffered. The output of several threads is not interleaved.
struct StandardErrorStream: TextOutputStream, Sendable {
    private static let lock = Mutex(())

    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        Self.lock.withLock { _ in
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
                // A log that cannot be written must not stop the server.
                guard count > 0 || (count < 0 && errno == EINTR) else { return }
                bytes = bytes.dropFirst(max(0, count))
            }
        }
    }
}
