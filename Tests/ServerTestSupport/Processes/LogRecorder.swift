package import Logging
import ServerCore
import ServerHTTP
import Synchronization

/// Keeps what is logged, so that a test can read it.
package final class LogRecorder: Sendable {
    private let recorded = Mutex<[String]>([])

    package init() {}

    /// The message and metadata, including the logger's own, of each entry of this level or above, in order.
    package var lines: [String] { recorded.withLock { $0 } }

    package func logger(_ level: Logger.Level) -> Logger {
        Logger(label: "test") { _ in Handler(recorder: self, logLevel: level) }
    }

    private struct Handler: LogHandler {
        let recorder: LogRecorder
        var logLevel: Logger.Level
        var metadata: Logger.Metadata = [:]

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let details = metadata.merging(event.metadata ?? [:]) { $1 }.map { "\($0.key)=\($0.value)" }.sorted()
                .joined(separator: " ")
            recorder.recorded.withLock { $0.append("\(event.message) \(details)") }
        }
    }
}
