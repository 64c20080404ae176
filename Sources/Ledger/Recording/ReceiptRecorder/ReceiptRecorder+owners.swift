import Foundation
package import InAppPurchase

extension ReceiptRecorder {
    /// The history of a recorded original transaction; of one that an earlier version recorded, such that its owner
    /// stays.
    func history(of original: OriginalTransaction) throws -> OwnershipHistory {
        if let history = original.history { return history }
        let records = try rows.transactions(of: original.key, since: .distantPast)
        let tokens = tokens(of: records)
        var history = OwnershipHistory()
        _ = history.add(tokens) { tokens }
        let newest = records.map(\.transaction.purchaseDate).max() ?? context.date
        history.add(original, newest: newest, try living(history))
        return history
    }

    /// Records that the server named an account at the store, so that the token is no payment.
    package func setToken(_ account: AccountID, of key: OriginalTransaction.Key) throws {
        guard var original = try rows.originalTransactions([key])[key] else { return }
        var history = try history(of: original)
        history.setToken(account, at: context.date)
        original.history = history
        try rows.write(original, adding: [])
    }

    /// The accounts that recorded purchases are to credit, of those that credit another one: they have another owner
    /// at their purchase date than before, and no account was told that it got them.
    func creditedByOwners(_ claimed: ClaimedTransactions) throws -> [Transaction.Key: AccountID] {
        var credited: [Transaction.Key: AccountID] = [:]
        for (key, since) in claimed.changedSince {
            guard let owners = claimed.owners[key] else { continue }
            for copies in try rows.transactions(of: key, since: since).grouped(by: \.purchaseKey) {
                guard let purchase = copies.purchase, purchase.purchase != nil,
                    let owner = owners.owner(at: purchase.transaction.purchaseDate), owner != purchase.creditedTo
                else { continue }
                let keys = Set(copies.map(\.transaction.key))
                let causes = try rows.deliveries(of: keys, to: purchase.creditedTo).values
                if causes.contains(where: \.isReceipt) { continue }
                for key in keys { credited[key] = owner }
            }
        }
        return credited
    }

    /// The original transaction as it is if its payments decide who owns it, where an earlier version recorded another
    /// owner; `nil` if none did.
    package func movedToPayer(_ original: OriginalTransaction) throws -> OriginalTransaction? {
        var history = try history(of: original)
        guard history.removeRecorded() else { return nil }
        let owners = try owners(by: history)
        var moved = original
        moved.history = history
        moved = moved.owned(by: owners)
        return moved.owner == original.owner ? nil : moved
    }

    func owners(by history: OwnershipHistory) throws -> [OwnershipHistory.Owner] { history.owners(try living(history)) }

    /// The accounts that owned an original transaction, each other than the one before.
    package func successiveOwners(of original: OriginalTransaction) throws -> [AccountID] {
        try owners(by: try history(of: original)).map(\.account).reduce(into: []) { owners, account in
            if owners.last != account { owners.append(account) }
        }
    }

    private func living(_ history: OwnershipHistory) throws -> [AccountID: AccountID] {
        try rows.livingAccounts(named: Set(history.payments.map(\.account)))
    }

    /// Writes what ``movedToPayer(_:)`` returned. The credits of periods that nobody was told of go to their payers.
    package func move(_ original: OriginalTransaction, to moved: OriginalTransaction) throws {
        let key = original.key
        var claimed = ClaimedTransactions(originalTransactions: [key: moved])
        claimed.changedSince[key] = .distantPast
        claimed.owners[key] = try moved.history.map(owners)
        try write(moved, since: original, claimed)
        try credit(creditedByOwners(claimed), cause: nil, takingBackAs: .correction)
        try deliver(rows.withCopies(rows.transactions(of: key, since: .distantPast)), .operator)
    }
}

extension OwnershipHistory {
    /// Adds the transfers and the owner that an earlier version recorded.
    fileprivate mutating func add(_ original: OriginalTransaction, newest: Date, _ living: [AccountID: AccountID]) {
        let first = original.transfers.first?.from ?? original.owner
        if payments.isEmpty { assign(first, at: newest, shown: newest, as: .first) }
        for transfer in original.transfers { assign(transfer.to, at: transfer.date, shown: transfer.date, as: .claim) }
        if original.basis == .administrator {
            let date = original.transfers.last?.date ?? newest
            assign(original.owner, at: date, shown: date, as: .administrator)
        }
        guard owners(living).last?.account != original.owner else { return }
        assign(original.owner, at: newest, shown: newest, as: .recorded)
    }
}
