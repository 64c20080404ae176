package import Foundation
package import Logging
import ServiceLifecycle
import Synchronization

/// Limits the lines of the log that anybody can cause as often as they like.
///
/// The first few lines of each kind in a minute are logged; the others are counted, and one line reports the count. At
/// level `debug` every line is logged.
package final class RepeatedLines: PeriodicService {
    /// The properties by which lines are counted together.
    package struct Kind: Hashable, Sendable {
        package var message: String
        /// Words of this server, never of a client: they are kept for a minute.
        package var details: [String: String]

        package init(_ message: String, _ details: [String: String] = [:]) {
            self.message = message
            self.details = details
        }
    }

    /// The time after which the counts are logged and start again.
    package static let interval = Duration.seconds(60)
    /// The lines of one kind that are logged in a minute: enough to see what it is about.
    static let maximumLines = 5
    /// More than routes times statuses; lines of further kinds are counted as one kind.
    static let maximumKinds = 2_048

    private let clock: @Sendable () -> Date
    private let logger: Logger
    private let counts: Mutex<LineCounts>

    /// - Parameters:
    ///   - clock: tells when a minute is over.
    ///   - logger: logs the lines that report the counts.
    package init(clock: @escaping @Sendable () -> Date, logger: Logger) {
        self.clock = clock
        self.logger = logger
        counts = Mutex(LineCounts(began: clock()))
    }

    /// Logs a line, or counts it if its kind is over the limit of this minute.
    ///
    /// - Parameter logger: logs the line.
    package func log(_ kind: Kind, _ level: Logger.Level, metadata: Logger.Metadata, to logger: Logger) {
        let now = clock()
        let (ended, isLogged) = counts.withLock { counts in
            let ended = counts.isOver(at: now) ? counts.end(at: now) : nil
            return (ended, counts.add(kind))
        }
        if let ended { report(ended) }
        logger.log(level: isLogged ? level : .debug, "\(kind.message)", metadata: metadata)
    }

    /// Logs the counts of lines that were not logged, and starts anew; logs nothing if every line was logged.
    func sumUp() {
        let now = clock()
        report(counts.withLock { $0.end(at: now) })
    }

    /// Reports the counts of the last minute.
    package func runOnce() async { sumUp() }

    package func stop() async { sumUp() }

    private func report(_ ended: LineCounts.Ended) {
        for (kind, count) in ended.kinds.sorted(by: { $0.key.order < $1.key.order }) where count > Self.maximumLines {
            var metadata = kind.details.mapValues { Logger.MetadataValue.string($0) }
            metadata["line"] = "\(kind.message)"
            metadata["count"] = .stringConvertible(count - Self.maximumLines)
            metadata["seconds"] = .stringConvertible(ended.seconds)
            logger.notice("repeated log lines suppressed", metadata: metadata)
        }
    }
}

/// The number of lines of each kind in one minute.
private struct LineCounts {
    struct Ended {
        var kinds: [RepeatedLines.Kind: Int]
        var seconds: Int
    }

    private let began: Date
    private var kinds: [RepeatedLines.Kind: Int] = [:]

    init(began: Date) { self.began = began }

    /// Whether the minute is over, or the clock was set back as far.
    func isOver(at date: Date) -> Bool { abs(date.timeIntervalSince(began)) >= RepeatedLines.interval / .seconds(1) }

    mutating func end(at date: Date) -> Ended {
        defer { self = LineCounts(began: date) }
        let seconds = max(0, date.timeIntervalSince(began)).rounded()
        return Ended(kinds: kinds, seconds: Int(clamping: seconds))
    }

    /// - Returns: whether the line is logged.
    mutating func add(_ kind: RepeatedLines.Kind) -> Bool {
        let isKnown = kinds[kind] != nil || kinds.count < RepeatedLines.maximumKinds
        let kind = isKnown ? kind : RepeatedLines.Kind("other")
        let count = kinds[kind, default: 0]
        // Saturates instead of overflowing.
        kinds[kind] = min(count, Int.max - 1) + 1
        return count < RepeatedLines.maximumLines
    }
}

extension RepeatedLines.Kind {
    /// The order of the reports of one minute.
    fileprivate var order: String {
        message + details.sorted { $0.key < $1.key }.reduce("") { $0 + " \($1.key)=\($1.value)" }
    }
}
