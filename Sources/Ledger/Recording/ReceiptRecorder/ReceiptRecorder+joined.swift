import Foundation
import InAppPurchase

/// One period under two original IDs shows that these are one original transaction; it has the smaller ID from then on.
extension ReceiptRecorder {
    /// Makes an original transaction another one. Its owners are those that follow from the payments and decisions of
    /// both together.
    ///
    /// - Parameter cause: what showed that they are one.
    func join(_ key: OriginalTransaction.Key, to name: TransactionID, cause: String) throws {
        let joined = key.named(name)
        let known = try rows.originalTransactions([key, joined])
        if let original = known[key] { try write(original, as: joined, over: known[joined]) }
        let renewals = try rows.renewals([key, joined])
        if var facts = renewals[key] {
            if let others = renewals[joined] { facts.merge(others) }
            try rows.write(facts, of: joined)
        }
        try rows.join(key, to: name, at: context.date)
        // The rows of what was claimed later mean nothing any more.
        let waiting = try rows.unclaimed(of: Set([key, joined].filter { known[$0] == nil })).map { held in
            var renamed = held
            renamed.transaction.originalID = name
            return renamed
        }
        guard let original = try rows.originalTransactions([joined])[joined] else {
            for held in waiting { try rows.write(held) }
            return
        }
        try give(waiting, of: original)
        var claimed = ClaimedTransactions(originalTransactions: [joined: original])
        claimed.owners[joined] = try original.history.map(owners)
        claimed.changedSince[joined] = .distantPast
        try credit(creditedByOwners(claimed), cause: cause, takingBackAs: .transfer)
        try deliver(rows.withCopies(rows.transactions(of: joined, since: .distantPast)), .notification(cause))
    }

    /// Writes the one that two original transactions are, before the transactions of the first are its own.
    private func write(
        _ original: OriginalTransaction, as key: OriginalTransaction.Key, over known: OriginalTransaction?
    ) throws {
        let records = try [original.key, key].flatMap { try rows.transactions(of: $0, since: .distantPast) }
        var history = try history(of: known ?? original)
        if known != nil { history.join(try self.history(of: original)) }
        history.setTokens(tokens(of: records))
        guard let owner = try owners(by: history).last else { return }
        var joined = known ?? original
        (joined.key, joined.owner, joined.basis, joined.history) = (key, owner.account, owner.basis, history)
        if owner.account != known?.owner { joined.ownerEvidenceDate = nil }
        let former = [original.owner, known?.owner].compactMap(\.self).unique.filter { $0 != owner.account }
        let transfers = former.map { OriginalTransaction.Transfer(from: $0, to: owner.account, date: context.date) }
        try rows.write(joined, adding: (known == nil ? original.transfers : []) + transfers)
        for transfer in transfers { try append(transfer, of: joined) }
    }
}
