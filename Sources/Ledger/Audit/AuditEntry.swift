package import InAppPurchase
package import Foundation

/// One row of the audit trail that is to be written.
package struct AuditEntry: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case accountCreated = "account.created"
        case accountBlocked = "account.blocked"
        case accountUnblocked = "account.unblocked"
        /// Sandbox purchases entitle the account where the app admits testers.
        case testerAdded = "tester.added"
        case testerRemoved = "tester.removed"
        /// The account is offered versions on the channel beta.
        case betaAdded = "beta.added"
        case betaRemoved = "beta.removed"
        /// The sandbox purchases of an account were forgotten, its test money taken back.
        case sandboxReset = "sandbox.reset"
        case sessionOpened = "session.opened"
        case sessionClosed = "session.closed"
        /// Every session of an account, by an administrator.
        case sessionsRevoked = "sessions.revoked"
        case receiptRecorded = "receipt.recorded"
        case receiptUnreadable = "receipt.unreadable"
        case receiptPostponed = "receipt.postponed"
        /// Gives access until the store has spoken, or for some hours.
        case receiptProvisional = "receipt.provisional"
        case receiptSettled = "receipt.settled"
        case receiptPresentedAgain = "receipt.presentedAgain"
        /// The store told something by itself.
        case notificationRecorded = "notification.recorded"
        case notificationApplied = "notification.applied"
        /// The customer lets the store be told what became of purchases, or does so no longer.
        case consumptionConsent = "consumption.consent"
        /// The store's question about a purchase was answered, or left.
        case consumptionFinished = "consumption.finished"
        case originalTransactionTransferred = "line.moved"
        case termsBound = "terms.bound"
        /// The manifest of a bundle's version, the first time.
        case deliveryHandedOut = "delivery.handedOut"
        /// The client has what it was handed out.
        case deliveryConfirmed = "delivery.confirmed"
        /// The client has something else.
        case deliveryMismatch = "delivery.mismatch"
        case creditsPosted = "credits.posted"
        case creditsSpent = "credits.spent"
        /// Given or taken back by an administrator.
        case creditsAdjusted = "credits.adjusted"
        case adminTokenCreated = "adminToken.created"
        case adminTokenRevoked = "adminToken.revoked"
        case productAdded = "product.added"
        case productChanged = "product.changed"
        case productRemoved = "product.removed"
        /// The file could not be written; undoes the row before of this product.
        case productNotChanged = "product.notChanged"
        /// The catalog was replaced whole: its file was edited by hand, or another revision was pushed.
        case catalogReplaced = "catalog.replaced"
        /// A version of a bundle: its manifest is there, its files may be on their way.
        case bundleDrafted = "bundle.drafted"
        case bundlePublished = "bundle.published"
        /// It is offered no longer, and still readable to those who have it.
        case bundleYanked = "bundle.yanked"
        case bundleRestored = "bundle.restored"
        /// It was on the channel beta, and everybody is offered it.
        case bundlePromoted = "bundle.promoted"
        /// A draft was given up.
        case bundleDiscarded = "bundle.discarded"
        /// The store could not be written; undoes the row before of this version.
        case bundleNotChanged = "bundle.notChanged"
        /// A balance that was not the sum of its postings was written anew.
        case balanceRebuilt = "balance.rebuilt"
        /// The content of other rows, which it names, was erased.
        case contentErased = "content.erased"
        /// Rows at the end of the trail were found to be gone when the next were sealed.
        case trailCut = "trail.cut"
        /// The ledger is a backup that was put in the place of another one.
        case ledgerRestored = "ledger.restored"
        /// A backup takes the place of the ledger, which is kept beside it.
        case ledgerReplaced = "ledger.replaced"
        /// The backup could not be put in its place; undoes the row before.
        case ledgerNotReplaced = "ledger.notReplaced"
    }

    package var kind: Kind
    /// Who did it; nil where it was the account itself, or the store.
    package var actor: AuditActor?
    package var account: AccountID?
    /// The receipt, original transaction, product or key it is about.
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
