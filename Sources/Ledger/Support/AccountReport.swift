package import Foundation
package import InAppPurchase

/// Everything that is known about an account, for support. Contains no tokens or recovery codes, and no contents of
/// receipts.
package struct AccountReport: Sendable {
    /// The maximum number of entries of each list: a year of a busy player. The audit trail has the rest.
    package static let maximumEntries = 200

    package var facts: AccountFacts
    package var sessions: Newest<Session>
    /// The entitlements as the player sees them.
    package var entitlements: [ProductEntitlement]
    /// The balances, including those that the app's sandbox setting hides from the player.
    package var balances: [Scope: Credits]
    /// The purchases that it owns or owned, and those that credited it, newest first.
    package var transactions: Newest<RecordedTransaction>
    /// The original transactions of ``transactions``.
    package var originalTransactions: [OriginalTransaction]
    /// The App Store's last statements about renewals, those of ``originalTransactions`` among them.
    package var renewals: [OriginalTransaction.Key: RenewalFacts]
    package var appTransactions: Newest<ShownAppTransaction>
    package var receipts: Newest<ReceiptFacts>
    /// The purchases that ``receipts`` contained and other accounts own.
    package var contested: [ContestedPurchase]
    package var spends: Newest<RecordedSpend>
    package var adjustments: Newest<RecordedAdjustment>
    package var postings: Newest<Posting>
    /// The products that administrators gave without a purchase, also those that have ended or were taken back.
    package var grants: Newest<RecordedGrant>
    /// The notes of administrators about the player, newest first.
    package var notes: [AccountNote]
    /// The place after which older purchases begin; `nil` if there are none.
    package let next: PurchasePosition?

    package init(
        facts: AccountFacts, sessions: Newest<Session>, entitlements: [ProductEntitlement], balances: [Scope: Credits],
        transactions: Newest<RecordedTransaction>, originalTransactions: [OriginalTransaction],
        renewals: [OriginalTransaction.Key: RenewalFacts], appTransactions: Newest<ShownAppTransaction>,
        receipts: Newest<ReceiptFacts>, contested: [ContestedPurchase], spends: Newest<RecordedSpend>,
        adjustments: Newest<RecordedAdjustment>, postings: Newest<Posting>, grants: Newest<RecordedGrant>,
        notes: [AccountNote]
    ) {
        self.facts = facts
        self.sessions = sessions
        self.entitlements = entitlements
        self.balances = balances
        self.transactions = transactions
        self.originalTransactions = originalTransactions
        self.renewals = renewals
        self.appTransactions = appTransactions
        self.receipts = receipts
        self.contested = contested
        self.spends = spends
        self.adjustments = adjustments
        self.postings = postings
        self.grants = grants
        self.notes = notes
        next = transactions.isTruncated ? transactions.entries.last?.position : nil
    }

    /// A session of a device.
    package struct Session: Hashable, Sendable {
        package var openedAt: Date
        /// The date when it was closed; `nil` while it is open.
        package var closedAt: Date?

        package init(openedAt: Date, closedAt: Date?) {
            self.openedAt = openedAt
            self.closedAt = closedAt
        }
    }
}

extension RecordedTransaction {
    /// The order of purchases, those of one time by ID.
    package var recency: (Date, TransactionID) { (transaction.purchaseDate, transaction.id) }

    /// The position after which older purchases begin.
    fileprivate var position: PurchasePosition {
        PurchasePosition(date: transaction.purchaseDate, transaction: transaction.id)
    }
}

/// The properties of an account, without what it owns.
package struct AccountFacts: Hashable, Sendable {
    package var account: AccountID
    package var createdAt: Date
    /// The date since which it is blocked; `nil` if it is not.
    package var blockedAt: Date?
    /// The date since which an administrator has made it a tester, so that sandbox purchases entitle it; `nil` if none
    /// has.
    package var testerSince: Date?
    /// The date since which it is offered versions on the channel beta; `nil` if it is not.
    package var betaSince: Date?
    /// The ID that the studio's own systems have for the player; `nil` if none is known. No other account has it.
    package var externalID: ExternalID?

    package init(
        account: AccountID, createdAt: Date, blockedAt: Date?, testerSince: Date? = nil, betaSince: Date? = nil,
        externalID: ExternalID? = nil
    ) {
        self.account = account
        self.externalID = externalID
        self.createdAt = createdAt
        self.betaSince = betaSince
        self.blockedAt = blockedAt
        self.testerSince = testerSince
    }
}
