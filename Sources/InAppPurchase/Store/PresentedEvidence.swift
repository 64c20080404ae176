public import Foundation

/// What the bytes that a client sent prove by themselves, whatever the App Store says of them when it is asked.
///
/// Only signed transactions and app receipts have a date, so nothing else transfers a purchase to another account.
public struct PresentedEvidence: Hashable, Sendable {
    /// When the App Store made the bytes: `signedDate` of a signed transaction, the creation date of an app receipt.
    public var date: Date
    /// The transactions that stand in the bytes.
    public var transactions: Set<TransactionID>
    /// Whether the bytes were made for the device that the request names. False if it names none.
    public var isForDevice: Bool
    /// What a client sends along so that ``isForDevice`` can be true.
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
