import Ledger
import ServerCore
import ServerHTTP

extension AuditEntry.Kind {
    /// The event in words, and its tone.
    var words: (title: String, tone: Tone) {
        switch self {
        case .accountCreated: ("Account created", .plain)
        case .accountReissued: ("Account given to a repeated request", .plain)
        case .accountBlocked: ("Account blocked", .bad)
        case .accountUnblocked: ("Account unblocked", .good)
        case .externalIDChanged: ("External ID changed", .plain)
        case .noteAdded: ("Note written", .plain)
        case .noteRemoved: ("Note removed", .plain)
        case .testerAdded: ("Made a tester", .plain)
        case .testerRemoved: ("No longer a tester", .plain)
        case .betaAdded: ("Offered beta versions", .plain)
        case .betaRemoved: ("No longer offered beta versions", .plain)
        case .sandboxReset: ("Sandbox reset", .waiting)
        case .sessionOpened: ("Session opened", .plain)
        case .sessionClosed: ("Session closed", .plain)
        case .sessionsRevoked: ("All sessions ended", .waiting)
        case .recoveryCodeRotated: ("New recovery code given by support", .waiting)
        default: purchaseWords ?? catalogWords ?? trailWords
        }
    }

    private var purchaseWords: (title: String, tone: Tone)? {
        switch self {
        case .receiptRecorded: ("Receipt received", .plain)
        case .receiptUnreadable: ("Something unreadable received as a receipt", .bad)
        case .receiptPostponed: ("The App Store did not answer about a receipt; it is asked again", .waiting)
        case .receiptProvisional: ("Access given until the App Store answers", .waiting)
        case .receiptSettled: ("Receipt answered", .good)
        case .receiptRetried: ("Receipt to be asked about again, by support", .plain)
        case .receiptPresentedAgain: ("Receipt sent again", .plain)
        case .notificationRecorded: ("Notification of the App Store received", .plain)
        case .notificationApplied: ("Notification of the App Store applied", .plain)
        case .testNotificationRequested: ("Test notification requested", .plain)
        case .consumptionConsent: ("Consent to tell the App Store about consumption", .plain)
        case .consumptionFinished: ("The App Store's question about consumption answered", .plain)
        case .originalTransactionTransferred: ("Purchase transferred", .waiting)
        case .originalTransactionLost: ("Purchase transferred to another account", .waiting)
        case .renewalExtended: ("Renewal date extended by support", .plain)
        case .renewalsExtended: ("Renewal dates of all subscribers extended", .waiting)
        case .appTransactionFetched: ("App transaction fetched from the App Store by support", .plain)
        case .transactionFinished: ("Transaction finished with the App Store", .plain)
        case .accountTokenSet: ("New owner told to the App Store", .plain)
        case .termsBound: ("Product found in the catalog for an earlier purchase", .good)
        case .manifestIssued: ("Bundle's list of files sent", .plain)
        case .deliveryConfirmed: ("Bundle arrived", .good)
        case .deliveryMismatch: ("The app has other files than were sent", .bad)
        case .creditsPosted: ("Credits posted", .good)
        case .creditsSpent: ("Credits spent", .plain)
        case .creditsAdjusted: ("Credits given or taken back by support", .waiting)
        case .entitlementGranted: ("Product given by support", .waiting)
        case .entitlementRevoked: ("Product taken back by support", .waiting)
        default: nil
        }
    }

    private var catalogWords: (title: String, tone: Tone)? {
        switch self {
        case .productAdded: ("Product added", .plain)
        case .productChanged: ("Product changed", .plain)
        case .productRemoved: ("Product removed", .waiting)
        case .productNotChanged: ("The change of a product failed", .bad)
        case .appAdded: ("App added", .plain)
        case .appChanged: ("Settings of an app changed", .plain)
        case .appRemoved: ("App removed", .waiting)
        case .appNotChanged: ("The change of an app failed", .bad)
        case .catalogReplaced: ("Catalog replaced", .waiting)
        case .bundleDrafted: ("Draft of a version stored", .plain)
        case .bundlePublished: ("Version published", .plain)
        case .bundleYanked: ("Version yanked", .waiting)
        case .bundleRestored: ("Version restored", .plain)
        case .bundlePromoted: ("Version promoted to everybody", .plain)
        case .bundleDiscarded: ("Draft discarded", .plain)
        case .bundleNotChanged: ("The change of a version failed", .bad)
        default: nil
        }
    }

    private var trailWords: (title: String, tone: Tone) {
        switch self {
        case .adminTokenCreated: ("Admin token created", .waiting)
        case .adminTokenRevoked: ("Admin token revoked", .waiting)
        case .adminSessionEnded: ("Administrator's session ended", .waiting)
        case .balanceRebuilt: ("Balance corrected to the sum of its postings", .bad)
        case .keyListPublished: ("List of keys published, as a root key signed it", .plain)
        case .contentErased: ("Contents of the trail erased", .waiting)
        case .trailCut: ("Rows at the end of the trail are missing", .bad)
        case .ledgerRestored: ("The ledger is a restored backup", .waiting)
        case .ledgerReplaced: ("A backup replaces the ledger", .waiting)
        case .ledgerNotReplaced: ("The backup could not be put in place", .bad)
        default: (rawValue, .plain)
        }
    }
}
