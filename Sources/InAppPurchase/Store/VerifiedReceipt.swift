public import Foundation

/// The facts of a receipt after its signature, or the App Store's response about it, was verified.
public struct VerifiedReceipt: Sendable {
    /// The transactions in the receipt; empty for a valid app receipt of a customer who bought nothing.
    public var transactions: [Transaction]
    /// The renewal state of subscriptions; empty if the receipt has none.
    public var renewals: [OriginalTransaction.Key: RenewalFacts]
    /// The evidence in the client's own bytes; `nil` if they have no date, and for facts that came from the App Store.
    public var evidence: PresentedEvidence?
    /// The app transaction, if the receipt is one; it has no transactions then.
    public var appTransaction: AppTransaction?
    /// The version of the app that the receipt names; `nil` if it names none, as a signed transaction.
    public var appVersion: AppVersion?

    public init(
        transactions: [Transaction], renewals: [OriginalTransaction.Key: RenewalFacts] = [:],
        evidence: PresentedEvidence? = nil, appTransaction: AppTransaction? = nil, appVersion: AppVersion? = nil
    ) {
        self.transactions = transactions
        self.renewals = renewals
        self.evidence = evidence
        self.appTransaction = appTransaction
        self.appVersion = appVersion
    }
}

extension VerifiedReceipt {
    /// The facts with other original IDs, for original transactions that turned out to be another one.
    package func renamed(_ names: [OriginalTransaction.Key: TransactionID]) -> VerifiedReceipt {
        guard !names.isEmpty else { return self }
        var renamed = self
        for index in renamed.transactions.indices {
            guard let name = names[renamed.transactions[index].originalTransactionKey] else { continue }
            renamed.transactions[index].originalID = name
        }
        for (key, name) in names {
            guard let facts = renamed.renewals.removeValue(forKey: key) else { continue }
            let named = key.named(name)
            if renamed.renewals[named]?.merge(facts) == nil { renamed.renewals[named] = facts }
        }
        return renamed
    }
}

/// The evidence in the bytes that a client sent, independent of what the App Store says about them.
///
/// Only signed transactions and app receipts have a date, so nothing else transfers a purchase to another account.
public struct PresentedEvidence: Hashable, Sendable {
    /// The date when the App Store made the bytes: `signedDate` of a signed transaction, the creation date of an app
    /// receipt.
    public var date: Date
    /// The IDs of the transactions in the bytes.
    public var transactions: Set<TransactionID>
    /// Whether the bytes were made for the device that the request names; `false` if it names none.
    public var isForDevice: Bool
    /// The remedy for a missing device: the value that a client sends along so that ``isForDevice`` can be true.
    public var deviceRemedy: TransferRemedy

    public init(date: Date, transactions: Set<TransactionID>, isForDevice: Bool, deviceRemedy: TransferRemedy) {
        self.date = date
        self.transactions = transactions
        self.isForDevice = isForDevice
        self.deviceRemedy = deviceRemedy
    }
}
