public import Foundation

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

    public init(
        date: Date, transactions: Set<TransactionID>, isForDevice: Bool, deviceRemedy: TransferRemedy
    ) {
        self.date = date
        self.transactions = transactions
        self.isForDevice = isForDevice
        self.deviceRemedy = deviceRemedy
    }
}
