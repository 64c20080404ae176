import Foundation
import InAppPurchase

extension ReceiptRecorder {
    /// Decides who owns each original transaction, and writes the changes.
    ///
    /// - Parameters:
    ///   - copies: the presented or reported transactions, merged with what is recorded, and those that waited for an
    ///     owner.
    ///   - known: those of their original transactions that are recorded.
    ///   - presentation: `nil` if no account presents them; then only an `appAccountToken` gives an original
    ///     transaction an owner.
    func claim(
        _ copies: [Transaction], on known: [OriginalTransaction.Key: OriginalTransaction],
        _ purchases: RecordedPurchases, terms: [Transaction.Key: Product?], by presentation: Presentation?
    ) throws -> ClaimedTransactions {
        var claimed = ClaimedTransactions(originalTransactions: known)
        let lines = Dictionary(grouping: copies, by: \.originalTransactionKey)
        let living = try addPayments(of: lines, known, purchases, terms, presentation, to: &claimed)
        if let presentation {
            for (key, copies) in lines { try claim(key, copies, terms, by: presentation, living, &claimed) }
        }
        for (key, original) in claimed.originalTransactions where original != known[key] {
            try write(original, since: known[key], claimed)
        }
        claimed.creditedTo = try creditedByOwners(claimed)
        return claimed
    }

    /// Adds what the tokens of the copies say of the owners.
    ///
    /// - Returns: the account that each token names.
    private func addPayments(
        of lines: [OriginalTransaction.Key: [Transaction]],
        _ known: [OriginalTransaction.Key: OriginalTransaction], _ purchases: RecordedPurchases,
        _ terms: [Transaction.Key: Product?], _ presentation: Presentation?, to claimed: inout ClaimedTransactions
    ) throws -> [AccountID: AccountID] {
        var histories: [OriginalTransaction.Key: OwnershipHistory] = [:]
        for (key, copies) in lines {
            var history = try known[key].map(history) ?? OwnershipHistory()
            let tokens = copies.compactMap { copy in
                purchases.name(of: copy).flatMap { _ in
                    token(of: purchases.merged(copy), type: (terms[copy.key] ?? nil)?.type)
                }
            }
            var changed = try history.add(tokens) { try recordedTokens(of: key, besides: copies) }
            if purchases.hasFewer {
                history.setTokens(tokens + (try recordedTokens(of: key, besides: copies)))
                changed = .distantPast
            }
            if known[key] != nil { claimed.changedSince[key] = changed }
            histories[key] = history
        }
        let living = try living(Set(histories.values.flatMap { $0.payments.map(\.account) }), presentation)
        for (key, history) in histories {
            let owners = history.owners(living)
            guard let owner = owners.last else { continue }
            var original = known[key] ?? OriginalTransaction(key: key, owner: owner.account, basis: owner.basis)
            original.history = history
            claimed.originalTransactions[key] = original.owned(by: owners)
            claimed.owners[key] = owners
        }
        return living
    }

    private func living(_ named: Set<AccountID>, _ presentation: Presentation?) throws -> [AccountID: AccountID] {
        var named = named
        // The presenting account exists: it need not be looked up.
        let presenter = presentation.flatMap { named.remove($0.account) }
        var living = try rows.livingAccounts(named: named)
        if let presenter { living[presenter] = presenter }
        return living
    }

    private func token(of transaction: Transaction, type: ProductType?) -> OwnershipHistory.Token? {
        let type = type ?? context.terms(for: transaction)?.type
        guard !transaction.isOnlyEvidence(of: type) else { return nil }
        return OwnershipHistory.Token(transaction, isPeriod: transaction.isPeriod(of: type))
    }

    /// The tokens of all recorded purchases of an original transaction, besides copies that are about to be written.
    private func recordedTokens(
        of key: OriginalTransaction.Key, besides copies: [Transaction]
    ) throws -> [OwnershipHistory.Token] {
        let keys = Set(copies.map(\.key))
        let recorded = try rows.transactions(of: key, since: .distantPast)
        return tokens(of: recorded.filter { !keys.contains($0.transaction.key) })
    }

    func tokens(of records: [RecordedTransaction]) -> [OwnershipHistory.Token] {
        records.purchases.compactMap { token(of: $0.transaction, type: $0.terms?.type) }
    }

    /// Lets an account claim an original transaction by the newest of the copies that its bytes show or, if they show
    /// none, by the newest: such a claim can give it its first owner, and never transfers it.
    private func claim(
        _ key: OriginalTransaction.Key, _ copies: [Transaction], _ terms: [Transaction.Key: Product?],
        by presentation: Presentation, _ living: [AccountID: AccountID], _ claimed: inout ClaimedTransactions
    ) throws {
        let shown = copies.filter { presentation.evidence(for: $0) != nil }
        let newest = (shown.isEmpty ? copies : shown).max { ($0.purchaseDate, $0.id) < ($1.purchaseDate, $1.id) }
        guard let copy = newest else { return }
        let ownership = ((terms[copy.key] ?? nil) ?? context.terms(for: copy))?.ownership ?? .keep
        let payments = claimed.originalTransactions[key]?.history?.payments(living) ?? []
        let claim = Claim(
            account: presentation.account, payment: payments.last, shown: copy.purchaseDate,
            evidence: presentation.evidence(for: copy), ownership: ownership, mayTransfer: presentation.mayTransfer)
        try apply(claim, to: copy, &claimed)
        claimed.owners[key] = claimed.originalTransactions[key]?.history?.owners(living)
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
            original.basis == .token, original.transfers.isEmpty, original.ownerEvidenceDate == nil
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

    func write(_ original: OriginalTransaction, since known: OriginalTransaction?, _ claimed: ClaimedTransactions)
        throws
    {
        let transfers = Array(original.transfers.dropFirst(known?.transfers.count ?? 0))
        try rows.write(original, adding: transfers)
        let isPayment = transfers.last?.isPayment ?? true
        if !isPayment { try rows.queueAccountToken(of: original, at: context.date) }
        let owners = (known.map { [$0.owner] } ?? []) + transfers.flatMap { [$0.from, $0.to] } + [original.owner]
        for (from, to) in zip(owners, owners.dropFirst()) where from != to {
            let isPaid = transfers.contains { $0.isPayment && $0.to == to }
            try append(
                OriginalTransaction.Transfer(from: from, to: to, date: context.date, isPayment: isPaid), of: original,
                takesCredits: claimed.creditsTakenFrom[original.key] == from)
        }
    }

    /// Appends a transfer to the audit trails of both accounts.
    func append(
        _ transfer: OriginalTransaction.Transfer, of original: OriginalTransaction, takesCredits: Bool = false
    ) throws {
        var content = original.key.moveContent(from: transfer.from, to: transfer.to, takesCredits: takesCredits)
        if transfer.isPayment { content["by"] = .string("payment") }
        if original.isShared { content["sharing"] = .bool(true) }
        let concerned: [(AuditEntry.Kind, AccountID)] = [
            (.originalTransactionLost, transfer.from), (.originalTransactionTransferred, transfer.to),
        ]
        for (kind, account) in concerned {
            try rows.append(
                AuditEntry(
                    kind, account: account, subject: original.key.originalID.text, content: content, at: context.date))
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
