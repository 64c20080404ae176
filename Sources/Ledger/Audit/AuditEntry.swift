package import Foundation
package import InAppPurchase

/// A row to be appended to the audit trail.
package struct AuditEntry: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case accountCreated = "account.created"
        /// The request that created the account was repeated with its idempotency key, and its access token and its
        /// recovery code were replaced.
        case accountReissued = "account.reissued"
        case accountBlocked = "account.blocked"
        case accountUnblocked = "account.unblocked"
        /// The ID that the studio's own systems have for the player was set or removed.
        case externalIDChanged = "account.externalIDChanged"
        /// An administrator wrote something down about the player: the row's reason.
        case noteAdded = "note.added"
        case noteRemoved = "note.removed"
        /// Sandbox purchases entitle the account if the app admits testers.
        case testerAdded = "tester.added"
        case testerRemoved = "tester.removed"
        /// The account is offered versions on the channel beta.
        case betaAdded = "beta.added"
        case betaRemoved = "beta.removed"
        /// The sandbox purchases of an account were forgotten, and its sandbox balances set to zero.
        case sandboxReset = "sandbox.reset"
        case sessionOpened = "session.opened"
        case sessionClosed = "session.closed"
        /// Every session of an account was ended by an administrator.
        case sessionsRevoked = "sessions.revoked"
        /// The account got another recovery code, and the previous one no longer works.
        case recoveryCodeRotated = "account.recoveryCodeRotated"
        case receiptRecorded = "receipt.recorded"
        case receiptUnreadable = "receipt.unreadable"
        case receiptPostponed = "receipt.postponed"
        /// The receipt gives provisional access until the App Store has answered, or for some hours.
        case receiptProvisional = "receipt.provisional"
        case receiptSettled = "receipt.settled"
        /// An administrator had the App Store asked again at once.
        case receiptRetried = "receipt.retried"
        case receiptPresentedAgain = "receipt.presentedAgain"
        /// An App Store Server Notification was recorded.
        case notificationRecorded = "notification.recorded"
        case notificationApplied = "notification.applied"
        /// An administrator had the store send a test notification.
        case testNotificationRequested = "notification.testRequested"
        /// The customer consented to tell the App Store about the consumption of purchases, or withdrew the consent.
        case consumptionConsent = "consumption.consent"
        /// A consumption request of the App Store was answered, or closed without an answer.
        case consumptionFinished = "consumption.finished"
        case originalTransactionTransferred = "line.moved"
        /// The same transfer, as a row of the account that lost access by it; ``originalTransactionTransferred`` is the
        /// new owner's.
        case originalTransactionLost = "line.lost"
        /// The store was asked to finish a transaction that was delivered.
        case transactionFinished = "transaction.finished"
        /// An administrator had the store extend a subscription's renewal date.
        case renewalExtended = "renewal.extended"
        /// An administrator had the store extend the renewal dates of all subscribers of a product.
        case renewalsExtended = "renewals.extended"
        /// An administrator had the store asked for the app transaction of a player's customer.
        case appTransactionFetched = "appTransaction.fetched"
        /// The store was asked to name the new owner of a purchase in its `appAccountToken`.
        case accountTokenSet = "transaction.tokenSet"
        case termsBound = "terms.bound"
        /// The manifest of a bundle's version was issued to an account for the first time.
        case manifestIssued = "delivery.handedOut"
        /// The client has the manifest that it was issued.
        case deliveryConfirmed = "delivery.confirmed"
        /// The client has another manifest.
        case deliveryMismatch = "delivery.mismatch"
        case creditsPosted = "credits.posted"
        case creditsSpent = "credits.spent"
        /// An administrator gave or took back credits.
        case creditsAdjusted = "credits.adjusted"
        /// An administrator gave access to a product without a purchase.
        case entitlementGranted = "entitlement.granted"
        /// An administrator took such access back.
        case entitlementRevoked = "entitlement.revoked"
        case adminTokenCreated = "adminToken.created"
        case adminTokenRevoked = "adminToken.revoked"
        /// An administrator's session in the pages was ended by another.
        case adminSessionEnded = "adminSession.ended"
        case productAdded = "product.added"
        case productChanged = "product.changed"
        case productRemoved = "product.removed"
        /// The catalog file could not be written: the change in the previous row of this product did not happen.
        case productNotChanged = "product.notChanged"
        case appAdded = "app.added"
        /// The settings of an app were changed.
        case appChanged = "app.changed"
        case appRemoved = "app.removed"
        /// The catalog file could not be written: the change in the previous row of this app did not happen.
        case appNotChanged = "app.notChanged"
        /// The whole catalog was replaced: its file was edited, or another revision was added.
        case catalogReplaced = "catalog.replaced"
        /// The manifest of a version was stored; some of its files may not be uploaded yet.
        case bundleDrafted = "bundle.drafted"
        case bundlePublished = "bundle.published"
        /// The version is no longer offered, but still readable for those who have it.
        case bundleYanked = "bundle.yanked"
        case bundleRestored = "bundle.restored"
        /// The version was on the channel beta, and is now offered to everybody.
        case bundlePromoted = "bundle.promoted"
        /// A draft was discarded.
        case bundleDiscarded = "bundle.discarded"
        /// The content repository could not be written: the change in the previous row of this version did not happen.
        case bundleNotChanged = "bundle.notChanged"
        /// A balance that was not the sum of its postings was corrected.
        case balanceRebuilt = "balance.rebuilt"
        /// A list of keys that a root key signed was published.
        case keyListPublished = "keys.published"
        /// The content of other rows, which this row names, was erased.
        case contentErased = "content.erased"
        /// Rows at the end of the trail were found to be missing when the next were sealed.
        case trailCut = "trail.cut"
        /// The ledger is a backup that was restored in the place of another ledger.
        case ledgerRestored = "ledger.restored"
        /// A backup replaces the ledger, which is kept beside it.
        case ledgerReplaced = "ledger.replaced"
        /// The backup could not be put in its place: the replacement in the previous row did not happen.
        case ledgerNotReplaced = "ledger.notReplaced"
    }

    package var kind: Kind
    /// The actor; `nil` if it was the account itself, the App Store or the server.
    package var actor: AuditActor?
    package var account: AccountID?
    /// The key of the receipt, original transaction, product or other object concerned.
    package var subject: String?
    package var content: [String: JSONValue]
    package var date: Date

    package init(
        _ kind: Kind, by actor: AuditActor? = nil, account: AccountID? = nil, subject: String? = nil,
        content: [String: JSONValue] = [:], at date: Date
    ) {
        self.kind = kind
        self.actor = actor
        self.account = account
        self.subject = subject
        self.content = content
        self.date = date
    }
}

/// An actor other than a player: `admin:<token name>` over HTTP, `command:<user>` on the server's machine.
package struct AuditActor: Hashable, Sendable {
    package let name: String

    /// The holder of an admin token.
    package static func admin(_ token: AdminToken) -> AuditActor { AuditActor(name: "admin:\(token.name)") }

    /// A user of the operating system who ran a command.
    package static func command(user: String) -> AuditActor { AuditActor(name: "command:\(user)") }
}
