package import Basics
package import Content
package import Foundation
package import InAppPurchase
package import Ledger
import ServerHTTP

/// The ledger as the overview uses it: what it counts, and where servers report.
package typealias OverviewLedger = DeliveryLedger & CatalogLedger & ReportLedger & LedgerMaintenance & KeyValueStore

/// The things that an operator must know now: whether all is well, and if not, what costs most.
package struct Overview: Sendable {
    /// In seconds: a download may wait a night for a better network.
    static let maximumDownloadDelay: TimeInterval = 24 * 3_600
    /// In seconds: the time without any notification to an app in which it had purchases.
    package static let maximumSilence: TimeInterval = 24 * 3_600
    /// In seconds: the App Store sends a test within seconds.
    static let maximumTestDelay: TimeInterval = 5 * 60
    /// An older test says nothing about today.
    static let maximumTestDays = 30
    static let maximumTestAge: TimeInterval = Double(maximumTestDays) * 86_400
    /// In seconds: an answer of the store takes some to come. From five minutes on purchases wait.
    static let maximumClockDelay: TimeInterval = 60
    /// In seconds: a seal is made within a minute.
    static let maximumSealAge: TimeInterval = 15 * 60
    /// The days before a list of keys must be signed from which that waits, and is an alarm.
    static let (keysNoticeDays, keysAlarmDays) = (60, 30)
    /// Counting goes no further: past it a number says nothing more.
    static let maximumCount = 100

    package var date: Date
    /// One of each kind that is known, in the order of ``Alarm/Kind``.
    package var alarms: [Alarm]
    /// The things that servers warn of at their start, until they are settled.
    package var setup: [SetupItem] = []
    /// The date at which the store last sent a notification; `nil` if it never did.
    var newestNotification: Date?
    /// Whether most notifications that are sent here are refused.
    var refusesNotifications = false

    /// The alarms for which somebody must act, what costs most first.
    package var bad: [Alarm] { alarms.filter { $0.level == .bad } }
    /// The alarms of which it is not known whether something is wrong.
    package var unknown: [Alarm] { alarms.filter { $0.level == .unknown } }
    package var isWell: Bool { bad.isEmpty && unknown.isEmpty }

    /// Says in one line how many things need somebody.
    ///
    /// - Parameter others: the number of things besides the alarms.
    package func headline(besides others: Int = 0) -> String {
        let count = bad.count + others
        let needed = count == 0 ? nil : count == 1 ? "One thing needs you." : "\(count) things need you."
        let things = unknown.count == 1 ? "One thing is" : "\(unknown.count) things are"
        let missing = unknown.isEmpty ? nil : "\(things) not known."
        let parts = [needed, missing].compactMap { $0 }
        return parts.isEmpty ? "All is well." : parts.joined(separator: " ")
    }

    /// Sorts the alarms, the most costly first.
    mutating func sort() {
        let order = Dictionary(uniqueKeysWithValues: Alarm.Kind.allCases.enumerated().map { ($1, $0) })
        alarms.sort { order[$0.kind] ?? 0 < order[$1.kind] ?? 0 }
    }

    /// A count for people, which says where counting ended.
    package static func number(_ count: Int) -> String {
        count > maximumCount ? "more than \(maximumCount)" : "\(count)"
    }
}

extension Overview {
    /// Reads what the ledger knows.
    ///
    /// - Parameters:
    ///   - catalog: `nil` if it is not known.
    ///   - refusesNotifications: whether a server refuses most notifications that are sent to it.
    /// - Throws: what the ledger throws.
    package init(
        _ ledger: any OverviewLedger,
        _ catalog: Catalog? = nil, refusesNotifications: Bool = false, at date: Date
    ) async throws {
        self.date = date
        self.refusesNotifications = refusesNotifications
        let end = date.addingTimeInterval(-Self.maximumDownloadDelay)
        let limit = Self.maximumCount + 1
        let activity = try await ledger.activity(since: date.addingTimeInterval(-Self.maximumSilence), until: date)
        newestNotification = activity.newestNotification
        alarms = [
            .missing(try await ledger.missingProducts(), from: catalog),
            .waiting(try await ledger.pendingReceipts()),
            .misplaced(try await ledger.misplacedPurchaseCount()),
            .neverFetched(try await ledger.purchasesNeverFetched(until: end, limit: limit)),
            .test(
                try await TestNotifications(ledger: ledger).all(), of: catalog, isRefused: refusesNotifications,
                at: date),
            .silence(activity, isRefused: refusesNotifications, at: date),
            .unconfirmed(try await ledger.manifestDeliveries(unconfirmed: true, until: end, limit: limit)),
            .unavailable(try await ledger.unavailableProducts(of: nil)),
            .doubled(try await ledger.doubledPeriods(limit: limit)),
            .keys(try await ManifestKeys.stored(in: ledger), at: date),
            .unsealed(activity, at: date),
        ]
    }

    /// Reads what the ledger knows and what the server itself does.
    ///
    /// - Throws: what the ledger throws.
    package init(
        _ ledger: any OverviewLedger,
        _ store: any Store, _ decisions: ServingContext, _ content: any ContentRepository, at date: Date
    ) async throws {
        let (live, signatures) = (decisions.live, decisions.signatures.summary(at: date))
        try await self.init(
            ledger, live.current.catalog, refusesNotifications: signatures.refusesMost(.notifications), at: date)
        let condition = await store.condition(of: [])
        alarms.append(.notWritable(ledger.writes.outage))
        alarms.append(.rejected(signatures))
        alarms.append(.missing(live.current.catalog.missingBundles(among: content.bundles())))
        alarms.append(.clock(of: condition, store.name))
        alarms.append(.refusedKeys(of: condition, store.name))
        alarms.append(.outage(of: condition, store.name))
        alarms.append(.refusal(live.refusal))
        alarms.append(.rejected(content.problems))
        setup = condition.setup + live.current.catalog.setup
        sort()
    }
}
