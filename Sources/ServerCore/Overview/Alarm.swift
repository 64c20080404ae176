package import Basics
package import Foundation
package import InAppPurchase
package import Ledger
import ServerHTTP

/// One thing that may be wrong, and whether it is.
package struct Alarm: Sendable {
    /// The things that may be wrong, the most costly first. Metrics and answers have the raw values, so they must not
    /// change.
    package enum Kind: String, CaseIterable, Sendable {
        case ledgerNotWritable
        case clockBehind
        case receiptsRejected
        case missingProducts
        case contentMissing
        case receiptsWaiting
        case misplacedPurchases
        case storeRefusesKey
        case storeOutage
        case neverFetched
        case testNotification
        case noNotifications
        case unconfirmedDeliveries
        case unavailableProducts
        case doubledPeriods
        case catalogRefused
        case contentRejected
        case keysUnsigned
        case auditUnsealed
    }

    /// How much an alarm matters now.
    package enum Level: String, CaseIterable, Codable, Sendable {
        /// Nothing is wrong.
        case good
        /// Something waits, as it may for a while.
        case waiting
        /// Somebody must act.
        case bad
        /// It is not known whether something is wrong: only `quartermaster status` has this level, for what it reads
        /// from servers.
        case unknown
    }

    package var kind: Kind
    package var level: Level
    /// The number of items that it concerns, at most one more than ``Overview/maximumCount``.
    package var count: Int
    /// The date since when; `nil` if it is not known, or nothing is wrong.
    package var since: Date?
    /// The details, in one line.
    package var detail: String
}

extension Alarm {
    /// The advice, in one line; `nil` unless somebody must act.
    package var remedy: String? {
        switch level {
        case .good, .waiting: nil
        case .bad: kind.remedy
        case .unknown: "Check that a server runs, and its log: each writes this to the ledger once a minute."
        }
    }
}

extension Alarm.Kind {
    /// The title, for people.
    package var title: String {
        switch self {
        case .ledgerNotWritable: "Writing to the ledger"
        case .clockBehind: "This machine's clock"
        case .receiptsRejected: "Signatures of the App Store"
        case .missingProducts: "Bought, and not given"
        case .contentMissing: "Sold, and not in the content"
        case .receiptsWaiting: "Receipts waiting for the App Store"
        case .misplacedPurchases: "Bought, and with a former owner"
        case .storeRefusesKey: "The app's key for the App Store"
        case .storeOutage: "App Store"
        case .neverFetched: "Bought, and never downloaded"
        case .testNotification: "Test notification of the App Store"
        case .noNotifications: "Notifications of the App Store"
        case .unconfirmedDeliveries: "Downloads not confirmed"
        case .unavailableProducts: "Products the App Store does not know"
        case .doubledPeriods: "Periods counted twice"
        case .catalogRefused: "The catalog"
        case .contentRejected: "The content"
        case .keysUnsigned: "Keys for a root to sign"
        case .auditUnsealed: "Audit trail"
        }
    }

    /// The advice where it is bad, in one line.
    package var remedy: String {
        switch self {
        case .ledgerNotWritable:
            """
            Nobody can buy until it can be written: free space on its disk, or correct the owner and the permissions of \
            the file and its folder, or the database's. No restart is needed.
            """
        case .clockBehind: "Set the clock, and have it kept right (NTP). Purchases that wait for it are then delivered."
        case .receiptsRejected:
            """
            Is the root that is named one of Apple's? Then update the server, or name the root in rootCertificates, and \
            restart; apps and the App Store send again what was refused. Otherwise somebody forges, and gets nothing, \
            or a proxy changes what is sent.
            """
        case .missingProducts:
            "Add the product to the catalog, or correct its type to the App Store's. What was bought is then delivered."
        case .contentMissing:
            """
            Put the bundle back or publish it, readable for the server's user, or remove it from the catalog: players \
            pay for what they cannot download, and no server starts until then.
            """
        case .receiptsWaiting:
            """
            Check the App Store's status, outgoing HTTPS, and the app's key and shared secret; the server keeps asking \
            about waiting receipts.
            """
        case .misplacedPurchases:
            """
            Run quartermaster ledger rebuild --owners --check, which lists them, then the same without --check, which \
            gives them to the accounts that paid.
            """
        case .storeRefusesKey:
            """
            Set this machine's clock if it is wrong (NTP), which needs no restart. Otherwise correct the app's private \
            key, key ID and issuer ID, and restart: until then refunds and missed notifications are not asked for.
            """
        case .storeOutage: "Check outgoing HTTPS and the App Store's status; purchases are delivered meanwhile."
        case .neverFetched: "Check the account of the oldest purchase: did the app ask for its bundles afterwards?"
        case .testNotification:
            "Set the server's address in App Store Connect, check its certificate and its proxy, and test again."
        case .noNotifications:
            "Set the server's address in App Store Connect, and send a test: refunds and renewals are not reported."
        case .unconfirmedDeliveries: "Check the oldest: a download may break off, or an app may confirm none."
        case .unavailableProducts:
            "Check the product IDs and the agreements in App Store Connect: the App Store sells none of these."
        case .doubledPeriods: "Run quartermaster ledger rebuild --periods, which takes the credits back."
        case .catalogRefused:
            "Correct the catalog: running servers keep using an older one, and none starts with this one."
        case .contentRejected:
            """
            Correct it before the next start, which fails with most of these. What was published before is served, \
            except for files that were changed or are gone. quartermaster bundles verify lists all.
            """
        case .keysUnsigned:
            """
            Sign the list of keys with the root key, and publish it: quartermaster keys sign, keys publish. Until then \
            the server goes on with its present key; apps refuse a list that has expired.
            """
        case .auditUnsealed: "Look at the log: the server that seals the audit trail is not running, or refuses to."
        }
    }
}

extension Alarm {
    /// The alarms of notifications that do not come, but only those for which somebody must act: the commonest
    /// misconfigurations of the store.
    ///
    /// - Parameter catalog: reads the catalog; called only if a test notification is missing, which may be of an app
    ///   that is no longer served.
    package static func ofNotifications(
        _ ledger: any ReportLedger & AuditLedger & KeyValueStore, at date: Date, catalog: () async -> Catalog?
    ) async throws -> [Alarm] {
        let activity = try await ledger.activity(
            since: date.addingTimeInterval(-Overview.maximumSilence), until: date)
        let refusing = try await ServerStates(ledger).all().first { $0.refusesNotifications(at: date) }
        let isRefused = refusing != nil
        let tests = try await TestNotifications(ledger: ledger).all()
        var test = Alarm.test(tests, of: nil, isRefused: isRefused, at: date)
        if test.level == .bad { test = .test(tests, of: await catalog(), isRefused: isRefused, at: date) }
        let silence = Alarm.silence(activity, isRefused: isRefused, at: date)
        return [refusing?.alarm(.receiptsRejected), test, silence].compactMap { $0 }.filter { $0.level == .bad }
    }

    /// The title, the details, and the advice where somebody must act, in one line.
    package var words: String {
        ["\(kind.title): \(detail.endedWithStop)", remedy].compactMap { $0 }.joined(separator: " ")
    }
}

extension String {
    fileprivate var endedWithStop: String { hasSuffix(".") ? self : "\(self)." }
}
