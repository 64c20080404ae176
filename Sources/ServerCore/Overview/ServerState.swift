import Foundation
import ServerHTTP

/// The alarms that only a server's process knows, as it writes them into its ledger for `quartermaster status`.
struct ServerState: Codable, Hashable, Sendable {
    /// The alarms that no ledger knows.
    static let kinds: [Alarm.Kind] = [
        .ledgerNotWritable, .clockBehind, .receiptsRejected, .contentMissing, .storeRefusesKey, .storeOutage,
        .catalogRefused, .contentRejected,
    ]
    /// In seconds: three times that a server should have written it.
    static let maximumAge: TimeInterval = 3 * 60
    /// In characters. A error in a catalog may quote what is there.
    static let maximumDetail = 500
    /// More than one looks through; a catalog may have as many apps as it likes.
    static let maximumItems = 50

    struct Entry: Codable, Hashable, Sendable {
        /// The raw value of an ``Alarm/Kind``.
        var kind: String
        var level: Alarm.Level
        var count: Int
        var since: Date?
        var detail: String
    }

    /// The server's machine and port; one key for each.
    var server: String
    var writtenAt: Date
    var alarms: [Entry]
    /// Whether it refuses most notifications; `nil` in the state of an earlier version.
    private var refusesNotifications: Bool?
    /// The things that it warns of; `nil` from an earlier version of the server.
    var setup: [SetupItem]?

    init(of server: String, _ overview: Overview, at date: Date) {
        self.server = server
        writtenAt = date
        refusesNotifications = overview.refusesNotifications
        alarms = overview.alarms.filter { Self.kinds.contains($0.kind) }.map { alarm in
            Entry(
                kind: alarm.kind.rawValue, level: alarm.level, count: alarm.count, since: alarm.since,
                detail: String(alarm.detail.prefix(Self.maximumDetail)))
        }
        setup = Array(overview.setup.prefix(Self.maximumItems))
    }

    /// Whether a server that is still running need not have written it again yet. A state from the future comes from a
    /// wrong clock.
    func isFresh(at date: Date) -> Bool { abs(date.timeIntervalSince(writtenAt)) <= Self.maximumAge }

    /// Whether it now refuses most notifications.
    func refusesNotifications(at date: Date) -> Bool { refusesNotifications ?? false && isFresh(at: date) }

    /// The alarm of this kind; `nil` if the server reported none.
    func alarm(_ kind: Alarm.Kind) -> Alarm? {
        alarms.first { $0.kind == kind.rawValue }.map { entry in
            Alarm(kind: kind, level: entry.level, count: entry.count, since: entry.since, detail: entry.detail)
        }
    }
}

extension Settings {
    /// The name that distinguishes a server from others of its ledger.
    package var serverName: String { "\(ProcessInfo.processInfo.hostName):\(port)" }
}
