import InAppPurchase
package import Foundation

/// How many bytes of receipts a ledger keeps for one account, and for one address, that came on one day (UTC).
///
/// Receipts of each kind have a budget of their own, so that forgeries do not use up the room of genuine receipts. What
/// cannot be parsed is never kept, and counts for none.
package struct ReceiptByteBudgets: Hashable, Sendable {
    /// Bytes a day.
    package struct Budget: Hashable, Sendable {
        package var account: Int
        package var address: Int

        package init(account: Int, address: Int) {
            self.account = account
            self.address = address
        }

        package static let unlimited = Budget(account: .max, address: .max)
    }

    /// Receipts that wait for the App Store. What has its answer counts no longer.
    ///
    /// 20 transaction receipts or signed transactions of 6 kB have room twice; an address is a household, or a carrier's
    /// with many players, of whom few wait at a time. A receipt that is larger than the budget, as app receipts of many
    /// years are, may wait alone.
    package var pending = Budget(account: 256 << 10, address: 1 << 20)
    /// Receipts that can be parsed and are refused. Genuine ones, such as those of an app that is not served yet, have
    /// some 6 kB, and their app sends them again later.
    package var rejected = Budget(account: 128 << 10, address: 1 << 20)
    /// App receipts and transaction receipts that the App Store vouches for. One genuine receipt can be sent as many
    /// different texts, since not all of it is signed. Beyond the budget receipts are delivered as ever, and their bytes
    /// are not kept. Signed transactions do not count: the App Store signs every byte of them.
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
    /// Whether so many bytes more fit in a budget.
    ///
    /// - Parameters:
    ///   - used: bytes of the account, or of the address, that are kept on this day.
    ///   - limit: of the account, or of the address.
    package static func admits(_ bytes: Int, as kind: ReceiptBytesKind, used: Int, limit: Int) -> Bool {
        if kind == .pending, used <= 0 { return true }
        return used.saturatingAdding(bytes) <= limit
    }

    /// The number of the day (UTC) that a date lies in, counted from 1970-01-01.
    package static func day(of date: Date) -> Int {
        let milliseconds = date.milliseconds
        let dayLength = 86_400_000
        return milliseconds >= 0 ? milliseconds / dayLength : (milliseconds - dayLength + 1) / dayLength
    }

    /// The end of the day that a date lies in.
    package static func dayEnd(of date: Date) -> Date { Date(milliseconds: (day(of: date) + 1) * 86_400_000) }
}
