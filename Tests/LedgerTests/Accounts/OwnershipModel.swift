import Foundation
import InAppPurchase

/// The rules of ownership once more, as plainly as they can be stated, to compare the ledger with.
struct OwnershipModel {
    struct Purchase {
        var isProduction: Bool
        /// Purchases of its product never move.
        var isKept: Bool
        /// The account that its token names.
        var token: UInt8?
        var owner: UInt8?
        var isNamed = false
        var isByAdministrator = false
        var transfers: [Date] = []
        /// The latest evidence in the owner's own requests.
        var shown: Date?
    }

    var purchases: [Purchase]
    /// Accounts that have sent anything since the purchases were made.
    var used: Set<UInt8> = []

    /// The store reports it by itself, or nothing else is known of what is sent.
    mutating func receive(_ number: Int) {
        guard let token = purchases[number].token, !purchases[number].isNamed, !purchases[number].isByAdministrator,
            purchases[number].transfers.isEmpty
        else { return }
        if purchases[number].owner != token { purchases[number].shown = nil }
        (purchases[number].owner, purchases[number].isNamed) = (token, true)
    }

    mutating func give(_ number: Int, to account: UInt8, on date: Date) {
        if purchases[number].owner != account {
            purchases[number].transfers.append(date)
            purchases[number].shown = nil
        }
        (purchases[number].owner, purchases[number].isByAdministrator) = (account, true)
        purchases[number].isNamed = false
    }

    /// - Parameter sent: the date of the bytes; nil if they have none.
    /// - Returns: what the app is told; nil if the account owns it.
    mutating func present(
        _ number: Int, by account: UInt8, sent: Date?, kind: Receipt.Kind, isForDevice: Bool, mayTransfer: Bool,
        on date: Date
    ) -> TransferRemedy? {
        defer { used.insert(account) }
        receive(number)
        var purchase = purchases[number]
        defer { purchases[number] = purchase }
        if purchase.owner == nil { purchase.owner = account }
        if purchase.owner != account {
            let remedy = obstacle(
                purchase, account, sent, kind: kind, isForDevice: isForDevice, mayTransfer: mayTransfer, on: date)
            if let remedy { return remedy }
            purchase.transfers.append(date)
            (purchase.owner, purchase.shown) = (account, nil)
        }
        purchase.shown = [purchase.shown, sent].compactMap { $0 }.max()
        return nil
    }

    private func obstacle(
        _ purchase: Purchase, _ account: UInt8, _ sent: Date?, kind: Receipt.Kind, isForDevice: Bool,
        mayTransfer: Bool, on date: Date
    ) -> TransferRemedy? {
        if purchase.isByAdministrator { return .support }
        if purchase.isKept, sent == nil || !isAbandoned(purchase) { return .recoveryCode }
        let year = purchase.transfers.filter { $0 > date.addingTimeInterval(-365 * 86_400) }
        if purchase.isProduction, year.count >= 3 { return .recoveryCode }
        guard let sent else { return .freshReceipt }
        if let shown = purchase.shown, sent <= shown { return .freshReceipt }
        if let last = purchase.transfers.last, sent <= last { return .freshReceipt }
        if let token = purchase.token, token != account {
            if date > sent.addingTimeInterval(86_400) { return .freshReceipt }
            if purchase.isProduction, !isForDevice {
                return kind == .appReceipt ? .deviceIdentifier : .deviceVerificationID
            }
        }
        return mayTransfer ? nil : .transfer
    }

    /// Named by its token and never presented by its owner, who has done nothing since.
    private func isAbandoned(_ purchase: Purchase) -> Bool {
        guard let owner = purchase.owner else { return false }
        return purchase.isNamed && purchase.shown == nil && purchase.transfers.isEmpty && !used.contains(owner)
    }
}
