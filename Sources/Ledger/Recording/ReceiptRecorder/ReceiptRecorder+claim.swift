import Foundation
import InAppPurchase

extension ReceiptRecorder {
    /// Decides who owns each original transaction, and writes the changes.
    ///
    /// - Parameters:
    ///   - copies: the presented or reported transactions, merged with what is recorded.
    ///   - known: those of their original transactions that are recorded.
    ///   - presentation: `nil` if no account presents them; then only an `appAccountToken` gives an original
    ///     transaction an owner, and none is transferred.
    func claim(
        _ copies: [Transaction], on known: [OriginalTransaction.Key: OriginalTransaction],
        terms: [Transaction.Key: Product?],
        by presentation: Presentation?
    ) throws -> ClaimedTransactions {
        let holders = known.values.compactMap(\.tokenHolder)
        var named = Set(copies.compactMap(\.ownerToken) + holders)
        // The presenting account exists: it need not be looked up.
        let presenter = presentation.flatMap { named.remove($0.account) }
        var living = try rows.livingAccounts(named: named)
        if let presenter { living[presenter] = presenter }
        var claimed = ClaimedTransactions(originalTransactions: name(copies, on: known, living))
        if let presentation {
            // Transactions that only the App Store reported go first: they can give an original transaction its first
            // owner, and never transfer it.
            let shown = copies.filter { presentation.evidence(for: $0) != nil }
            let told = copies.filter { presentation.evidence(for: $0) == nil }
            for copy in told + shown {
                let ownership = ((terms[copy.key] ?? nil) ?? context.terms(for: copy))?.ownership ?? .keep
                let formerly = known[copy.originalTransactionKey]?.tokenHolder.flatMap { living[$0] }
                let claim = Claim(
                    account: presentation.account, named: copy.ownerToken.flatMap { living[$0] },
                    formerlyNamed: formerly, evidence: presentation.evidence(for: copy), ownership: ownership,
                    mayTransfer: presentation.mayTransfer)
                try apply(claim, to: copy, &claimed)
            }
        }
        for (key, original) in claimed.originalTransactions where original != known[key] {
            try write(original, since: known[key], claimed)
        }
        return claimed
    }

    /// Sets the owner that an `appAccountToken` names, for an original transaction that has no owner or whose owner was
    /// only the first to present it.
    private func name(
        _ copies: [Transaction], on known: [OriginalTransaction.Key: OriginalTransaction],
        _ living: [AccountID: AccountID]
    ) -> [OriginalTransaction.Key: OriginalTransaction] {
        copies.reduce(into: known) { originals, copy in
            let (key, named) = (copy.originalTransactionKey, copy.ownerToken.flatMap { living[$0] })
            originals[key] =
                originals[key]?.named(named) ?? named.map { OriginalTransaction(key: key, owner: $0, basis: .token) }
        }
    }

    private func apply(_ claim: Claim, to copy: Transaction, _ claimed: inout ClaimedTransactions) throws {
        let (key, before) = (copy.originalTransactionKey, claimed.originalTransactions[copy.originalTransactionKey])
        var claim = claim
        let isUntouched = try before.map { try mayMoveWithCredits($0, claim, copy) } ?? false
        if isUntouched { claim.ownership = .transfer }
        let result = claim.applied(before, key: key, at: context.date)
        (claimed.originalTransactions[key], claimed.remedies[key]) = (result.original, result.remedy)
        if isUntouched, let before, result.original.owner != before.owner {
            claimed.creditsTakenFrom[key] = before.owner
        }
    }

    /// Returns whether an original transaction under `keep` is transferred nevertheless, once and with its credits: if
    /// its owner, whom a token names, never presented it, did nothing since the purchase, and has spent none of its
    /// credits. This happens if a player bought, and the app started again as another account before it could present
    /// the purchase.
    ///
    /// A session that was opened before the purchase and is used without sending a receipt is not noticed.
    private func mayMoveWithCredits(_ original: OriginalTransaction, _ claim: Claim, _ copy: Transaction) throws -> Bool
    {
        guard claim.ownership == .keep, claim.evidence != nil, original.owner != claim.account,
            original.basis == .token,
            original.transfers.isEmpty, original.ownerEvidenceDate == nil
        else { return false }
        let bought = copy.originalPurchaseDate ?? copy.purchaseDate
        return try !rows.hasBeenUsed(original.owner, since: min(bought, copy.purchaseDate))
            && hasUnspentCredits(of: original)
    }

    private func hasUnspentCredits(of original: OriginalTransaction) throws -> Bool {
        let scope = Scope(app: original.key.app, environment: original.key.environment)
        let state = try state(of: original.owner)
        let others = AccountState(
            account: original.owner,
            records: state.records.filter { $0.transaction.originalTransactionKey != original.key },
            renewals: state.renewals, context: state.context)
        let products = Set(
            state.records.filter { $0.transaction.originalTransactionKey == original.key }.map(\.transaction.productID))
        let earned = products.reduce(into: Credits()) { sum, product in
            let without = others.credits(of: product, in: scope)
            for (currency, amount) in state.credits(of: product, in: scope) {
                let rest = (without[currency] ?? 0).saturatingMultiplied(by: -1)
                sum[currency, default: 0] = (sum[currency] ?? 0).saturatingAdding(amount.saturatingAdding(rest))
            }
        }
        let balances = try rows.balances(of: original.owner, in: scope)
        return earned.allSatisfy { $0.value <= 0 || balances[$0.key] ?? 0 >= $0.value }
    }

    private func write(
        _ original: OriginalTransaction, since known: OriginalTransaction?, _ claimed: ClaimedTransactions
    )
        throws
    {
        let transfers = Array(original.transfers.dropFirst(known?.transfers.count ?? 0))
        try rows.write(original, adding: transfers)
        if !transfers.isEmpty { try rows.queueAccountToken(of: original, at: context.date) }
        let owners = (known.map { [$0.owner] } ?? []) + transfers.flatMap { [$0.from, $0.to] } + [original.owner]
        for (from, to) in zip(owners, owners.dropFirst()) where from != to {
            let takesCredits = claimed.creditsTakenFrom[original.key] == from
            let content = original.key.moveContent(from: from, to: to, takesCredits: takesCredits)
            let concerned: [(AuditEntry.Kind, AccountID)] = [
                (.originalTransactionLost, from), (.originalTransactionTransferred, to),
            ]
            for (kind, account) in concerned {
                try rows.append(
                    AuditEntry(
                        kind, account: account, subject: original.key.originalID.text, content: content,
                        at: context.date))
            }
        }
    }
}

extension OriginalTransaction.Key {
    /// Returns the audit trail's content for the transfer of an original transaction.
    func moveContent(from: AccountID, to: AccountID, takesCredits: Bool = false) -> [String: JSONValue] {
        [
            "app": .string(app.text), "environment": .string(environment.rawValue), "accessLostBy": .string(from.text),
            "accessGainedBy": .string(to.text), "creditsStayWith": .string(takesCredits ? to.text : from.text),
        ]
    }
}
