import Foundation
import Logging
import ServiceLifecycle
import Synchronization

/// Lines of the log that strangers can cause as often as they like.
///
/// Of each kind the first few of a minute are logged; the others are counted, and one line tells how many there were. At
/// level `debug` each is logged besides.
final class RepeatedLines: Service {
    /// What lines are alike in: those of one kind are counted together.
    struct Kind: Hashable, Sendable {
        var message: String
        /// Words of this server, never of a client: they are kept for a minute.
        var details: [String: String]

        init(_ message: String, _ details: [String: String] = [:]) {
            self.message = message
            self.details = details
        }
    }

    /// The time after which counts are logged and begin anew.
    static let interval: TimeInterval = 60
    /// Enough to see what it is about; a flood is more.
    static let maximumLines = 5
    /// Routes times statuses, and some; what comes in excess is counted as one kind.
    static let maximumKinds = 2_048

    private let clock: @Sendable () -> Date
    private let logger: Logger
    private let counts: Mutex<LineCounts>

    /// - Parameters:
    ///   - clock: tells when a minute is over.
    ///   - logger: gets the lines that tell how many there were.
    init(clock: @escaping @Sendable () -> Date, logger: Logger) {
        self.clock = clock
        self.logger = logger
        counts = Mutex(LineCounts(began: clock()))
    }

    /// Logs a line, or counts it where its kind had its share of this minute.
    ///
    /// - Parameter logger: gets the line.
    func log(_ kind: Kind, _ level: Logger.Level, metadata: Logger.Metadata, to logger: Logger) {
        let now = clock()
        let (ended, isLogged) = counts.withLock { counts in
            let ended = counts.isOver(at: now) ? counts.end(at: now) : nil
            return (ended, counts.add(kind))
        }
        if let ended { report(ended) }
        logger.log(level: isLogged ? level : .debug, "\(kind.message)", metadata: metadata)
    }

    /// Logs what was counted and not logged, and begins anew; nothing where every line was logged.
    func sumUp() {
        let now = clock()
        report(counts.withLock { $0.end(at: now) })
    }

    /// Sums up every minute, and a last time when the server stops.
    func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            while true {
                try await Task.sleep(for: .seconds(Self.interval))
                sumUp()
            }
        }
        sumUp()
    }

    private func report(_ ended: LineCounts.Ended) {
        for (kind, count) in ended.kinds.sorted(by: { $0.key.order < $1.key.order }) where count > Self.maximumLines {
            var metadata = kind.details.mapValues { Logger.MetadataValue.string($0) }
            metadata["message"] = "\(kind.message)"
            metadata["count"] = "\(count - Self.maximumLines)"
            metadata["seconds"] = "\(ended.seconds)"
            logger.notice("repeated log lines suppressed", metadata: metadata)
        }
    }
}

/// How many lines of each kind there were in one minute.
private struct LineCounts {
    struct Ended {
        var kinds: [RepeatedLines.Kind: Int]
        var seconds: Int
    }

    private let began: Date
    private var kinds: [RepeatedLines.Kind: Int] = [:]

    init(began: Date) { self.began = began }

    /// Also where the clock was set back.
    func isOver(at date: Date) -> Bool {
        abs(date.timeIntervalSince(began)) >= RepeatedLines.interval
    }

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
        // Not so many that it could not be counted any further.
        kinds[kind] = min(count, Int.max - 1) + 1
        return count < RepeatedLines.maximumLines
    }
}

extension RepeatedLines.Kind {
    /// By which summaries of one minute are ordered.
    fileprivate var order: String {
        message + details.sorted { $0.key < $1.key }.reduce("") { $0 + " \($1.key)=\($1.value)" }
    }
}
