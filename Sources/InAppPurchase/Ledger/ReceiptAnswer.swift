public import Foundation

/// What became of a receipt.
public struct ReceiptAnswer: Sendable {
    public enum Status: String, Codable, Sendable {
        /// The store cannot say now; kept and asked again.
        case pending
        /// The store vouches for it, whatever it entitles to.
        case verified
        case rejected
        /// Every transaction in it belongs to another account.
        case conflict
    }

    public var receipt: String
    public var status: Status
    public var rejection: ReceiptRejection.Reason?
    /// The very same receipt was answered before for this account.
    public var isDuplicate: Bool
    public var transactions: [TransactionAnswer]
    /// All of the account's.
    public var entitlements: [ProductEntitlement]
    /// Of the receipt's app and environment.
    public var balances: Credits
    /// Until when a receipt that waits for the store gives access at most; nil where it gives none.
    public var provisionalUntil: Date?

    public init(
        receipt: String, status: Status, rejection: ReceiptRejection.Reason? = nil, isDuplicate: Bool = false,
        transactions: [TransactionAnswer] = [], entitlements: [ProductEntitlement] = [], balances: Credits = [:]
    ) {
        self.receipt = receipt
        self.status = status
        self.rejection = rejection
        self.isDuplicate = isDuplicate
        self.transactions = transactions
        self.entitlements = entitlements
        self.balances = balances
    }

    /// What the app can do about the transactions that another account owns: of several remedies the one that leads
    /// soonest to a purchase. Nil if the account owns all of them.
    public var remedy: TransferRemedy? { transactions.compactMap(\.remedy).max() }

    /// Whether the app should finish what it sent: it is delivered, or nothing will ever come of it.
    public var finish: Bool {
        switch status {
        case .pending, .conflict: false
        case .rejected: rejection?.isFinal ?? false
        case .verified: transactions.allSatisfy(\.outcome.finish)
        }
    }
}

/// What became of one transaction of a receipt.
public struct TransactionAnswer: Sendable {
    public var transaction: Transaction
    public var outcome: Outcome
    /// What the app can do about it; nil if no other account owns it.
    public var remedy: TransferRemedy?

    public init(transaction: Transaction, outcome: Outcome, remedy: TransferRemedy? = nil) {
        self.transaction = transaction
        self.outcome = outcome
        self.remedy = remedy
    }
}

public enum Outcome: Hashable, Sendable {
    /// New, and it gives access or credits.
    case delivered
    /// Recorded before for this account, and granted or credited then.
    case alreadyDelivered
    case denied(DenialReason)

    public var finish: Bool {
        switch self {
        case .delivered, .alreadyDelivered: true
        case .denied(let reason): reason.isFinal
        }
    }
}
