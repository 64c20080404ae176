import Foundation
package import Logging
import Synchronization

/// Writes one line for each event, in the form of swift-log's own handler: time, level, label, metadata by name, source
/// in brackets, message.
///
/// That handler asks the kernel whether the time zone changed, for each line; this one once a second.
package struct LineLogHandler: LogHandler {
    package var logLevel = Logger.Level.info
    package var metadata: Logger.Metadata = [:]
    package var metadataProvider: Logger.MetadataProvider?
    /// The initial capacity of a line in bytes: most are not longer, and none is copied while it grows to it.
    private static let usualLength = 320
    private let label: String
    private let stream: any TextOutputStream & Sendable

    /// - Parameter stream: receives each line whole.
    package init(label: String, stream: any TextOutputStream & Sendable = StandardErrorStream()) {
        self.label = label
        self.stream = stream
    }

    package subscript(metadataKey key: String) -> Logger.MetadataValue? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    package func log(event: LogEvent) {
        var line = ""
        line.reserveCapacity(Self.usualLength)
        line += LogClock.shared.text
        line += " "
        line += event.level.rawValue
        line += " "
        line += label
        line += ":"
        for (name, value) in all(event).sorted(by: { $0.key < $1.key }) {
            line += " "
            line += name
            line += "="
            if case .string(let text) = value { line += text } else { line += value.description }
        }
        line += " ["
        line += event.source
        line += "] "
        line += event.message.description
        line += "\n"
        var stream = stream
        stream.write(line)
    }

    private func all(_ event: LogEvent) -> Logger.Metadata {
        var all = metadata
        if let provided = metadataProvider?.get() { all.merge(provided) { $1 } }
        if let own = event.metadata {
            if all.isEmpty { all = own } else { all.merge(own) { $1 } }
        }
        if let error = event.error {
            all["error.message"] = "\(error)"
            all["error.type"] = "\(String(reflecting: type(of: error)))"
        }
        return all
    }
}

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
