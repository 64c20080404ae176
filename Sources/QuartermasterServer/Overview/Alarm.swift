import Foundation

/// One thing that may be wrong, and whether it is.
struct Alarm: Sendable {
    /// The things that may be wrong, the most costly first. Metrics and answers have the raw values, so they must not
    /// change.
    enum Kind: String, CaseIterable, Sendable {
        case missingProducts
        case receiptsWaiting
        case storeOutage
        case neverFetched
        case testNotification
        case noNotifications
        case unconfirmedDeliveries
        case unavailableProducts
        case catalogRefused
        case auditUnsealed
    }

    /// How much an alarm matters now.
    enum Level: String, CaseIterable, Codable, Sendable {
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

    var kind: Kind
    var level: Level
    /// The number of items that it concerns, at most one more than ``Overview/maximumCount``.
    var count: Int
    /// The date since when; `nil` if it is not known, or nothing is wrong.
    var since: Date?
    /// The details, in one line.
    var detail: String
}

extension Alarm {
    /// The advice, in one line; `nil` unless somebody must act.
    var remedy: String? {
        switch level {
        case .good, .waiting: nil
        case .bad: kind.remedy
        case .unknown: "Look whether a server runs, and at its log: each writes it into the ledger once a minute."
        }
    }
}

extension Alarm.Kind {
    /// The title, for people.
    var title: String {
        switch self {
        case .missingProducts: "Paid for, and not in the catalog"
        case .receiptsWaiting: "Receipts waiting for the store"
        case .storeOutage: "The store"
        case .neverFetched: "Paid for, and never asked for"
        case .testNotification: "Test notification of the store"
        case .noNotifications: "Notifications of the store"
        case .unconfirmedDeliveries: "Downloads not confirmed"
        case .unavailableProducts: "Products the store does not know"
        case .catalogRefused: "The catalog"
        case .auditUnsealed: "Audit trail"
        }
    }

    /// The advice where it is bad, in one line.
    var remedy: String {
        switch self {
        case .missingProducts:
            "Add the product to the catalog, or mend its type: as the store has it. What was bought is delivered then."
        case .receiptsWaiting:
            "Look at the store's state and at outgoing HTTPS; waiting receipts are asked about again by themselves."
        case .storeOutage:
            "Look at outgoing HTTPS, and at the app's key and shared secret; purchases are delivered meanwhile."
        case .neverFetched: "Look at the oldest player's account: did the app ask for its bundles after the purchase?"
        case .testNotification:
            "Set the server's address in App Store Connect, look at its certificate and its proxy, and test again."
        case .noNotifications:
            "Set the server's address in App Store Connect: refunds and renewals are not heard of. Send a test."
        case .unconfirmedDeliveries: "Look at the oldest: a download that breaks off, or an app that confirms none."
        case .unavailableProducts:
            "Compare the product IDs with App Store Connect, and its agreements: the store sells none of these."
        case .catalogRefused:
            "Mend the catalog: servers that run go on with an older one, and none starts with this one."
        case .auditUnsealed: "Look at the log: the server that seals the audit trail is not running, or refuses to."
        }
    }
}
