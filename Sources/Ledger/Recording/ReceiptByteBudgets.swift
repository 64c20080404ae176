package import Foundation
import InAppPurchase

/// The budgets for stored receipt bytes: for one account and one address, of the receipts that came on one day (UTC).
///
/// Receipts of each kind have a budget of their own, so that forged receipts do not use up the space for genuine ones.
/// Receipts that cannot be parsed are never stored, and do not count.
package struct ReceiptByteBudgets: Hashable, Sendable {
    /// Bytes per day.
    package struct Budget: Hashable, Sendable {
        package var account: Int
        package var address: Int

        package init(account: Int, address: Int) {
            self.account = account
            self.address = address
        }

        package static let unlimited = Budget(account: .max, address: .max)
    }

    /// The budget for receipts that wait for the App Store. A receipt that has been answered no longer counts.
    ///
    /// 20 transaction receipts or signed transactions of 6 kB fit twice; an address is a household, or a mobile
    /// carrier's with many players, few of whom have pending receipts at a time. A receipt that is larger than the
    /// budget, as app receipts of many years are, is admitted if it is the only one.
    package var pending = Budget(account: 256 << 10, address: 1 << 20)
    /// The budget for receipts that can be parsed and are rejected. Genuine ones, such as those of an app that is not
    /// served yet, have some 6 kB, and their app sends them again later.
    package var rejected = Budget(account: 128 << 10, address: 1 << 20)
    /// The budget for app receipts and transaction receipts that the App Store verified. One genuine receipt can be
    /// sent as many different strings, since not all of it is signed. Beyond the budget receipts are delivered as
    /// usual, but their bytes are not stored. Signed transactions do not count: the App Store signs every byte of them.
    package var verified = Budget(account: 1 << 20, address: 16 << 20)

    package init() {}

    package subscript(kind: ReceiptBytesKind) -> Budget {
        switch kind {
        case .pending: pending
        case .rejected: rejected
        case .verified: verified
        }
    }
}

extension ReceiptByteBudgets {
    /// Returns whether that many more bytes fit in a budget.
    ///
    /// - Parameters:
    ///   - used: bytes of the account, or of the address, that are stored for this day.
    ///   - limit: the budget of the account, or of the address.
    package static func admits(_ bytes: Int, as kind: ReceiptBytesKind, used: Int, limit: Int) -> Bool {
        if kind == .pending, used <= 0 { return true }
        return used.saturatingAdding(bytes) <= limit
    }

    /// Returns the number of the day (UTC) that a date lies in, counted from 1970-01-01.
    package static func day(of date: Date) -> Int {
        let milliseconds = date.milliseconds
        let dayLength = 86_400_000
        return milliseconds >= 0 ? milliseconds / dayLength : (milliseconds - dayLength + 1) / dayLength
    }

    /// Returns the end of the day (UTC) that a date lies in.
    package static func dayEnd(of date: Date) -> Date { Date(milliseconds: (day(of: date) + 1) * 86_400_000) }
}

/// The kinds of stored receipt bytes. The raw values are stored in the ledger.
package enum ReceiptBytesKind: String, Hashable, Sendable {
    case pending
    case rejected
    case verified
}
