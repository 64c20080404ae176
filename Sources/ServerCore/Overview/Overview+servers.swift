import Basics
package import Foundation
package import InAppPurchase
import Ledger
import ServerHTTP

extension Overview {
    /// Reads what the ledger knows, and what its servers wrote into it about themselves.
    ///
    /// - Parameter catalog: reads the catalog as it is now, if it can be; called only if a test notification is
    ///   missing, which may be of an app that is no longer served.
    /// - Throws: what the ledger throws.
    package init(
        _ ledger: any OverviewLedger,
        withServersAt date: Date, catalog: () async -> Catalog? = { nil }
    ) async throws {
        let states = try await ServerStates(ledger).all()
        let isRefused = states.contains { $0.refusesNotifications(at: date) }
        try await self.init(ledger, refusesNotifications: isRefused, at: date)
        if bad.contains(where: { $0.kind == .testNotification }), let catalog = await catalog() {
            self = try await Overview(ledger, catalog, refusesNotifications: isRefused, at: date)
        }
        let fresh = states.filter { $0.isFresh(at: date) }
        setup = fresh.flatMap { $0.setup ?? [] }.reduce(into: []) { items, item in
            if !items.contains(item) { items.append(item) }
        }
        alarms += ServerState.kinds.map { kind in
            Self.worst(kind, of: fresh) ?? .unknown(kind, since: states.map(\.writtenAt).max())
        }
        sort()
    }

    /// Sets the alarm of a server that says so itself: it cannot write that into its ledger.
    package mutating func setNotWritable() {
        alarms.removeAll { $0.kind == .ledgerNotWritable }
        alarms.append(.notWritable(LedgerWrites.Outage(since: nil, detail: "the server cannot use it")))
        sort()
    }

    /// The alarm of the server that it is worst for, which is named if there are several; `nil` if none reports it.
    private static func worst(_ kind: Alarm.Kind, of states: [ServerState]) -> Alarm? {
        let reported = states.compactMap { state in state.alarm(kind).map { (server: state.server, alarm: $0) } }
        let worst =
            reported.first { $0.alarm.level == .bad } ?? reported.first { $0.alarm.level != .good } ?? reported.first
        guard let worst, reported.count > 1, worst.alarm.level != .good else { return worst?.alarm }
        var alarm = worst.alarm
        alarm.detail += " (\(worst.server))"
        return alarm
    }
}

extension Alarm {
    /// - Parameter date: the date at which a server last reported it; `nil` if none ever did.
    fileprivate static func unknown(_ kind: Kind, since date: Date?) -> Alarm {
        Alarm(
            kind: kind, level: .unknown, count: 0, since: date,
            detail: date.map { "Unknown: no server wrote it since \(PageTime($0, now: $0).text)." }
                ?? "Unknown: no server wrote it.")
    }
}
