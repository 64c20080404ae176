import Foundation
import InAppPurchase

extension ReceiptRecorder {
    /// Merges copies with what is recorded, decides who owns their original transactions, and writes the result.
    ///
    /// - Parameters:
    ///   - presentation: the account that presents them and its evidence; `nil` if none does, so that only an
    ///     `appAccountToken` gives an original transaction an owner.
    ///   - cause: the receipt or notification that brought them.
    func merge(
        _ verified: VerifiedReceipt, presented presentation: Presentation?, cause: String
    ) throws -> MergeResult {
        let copies = verified.transactions
        let found = try rows.recorded(copies)
        guard found.joined.isEmpty else {
            return try merge(verified.renamed(found.joined), presented: presentation, cause: cause)
        }
        let standings = try rows.standings(of: found.concerned(by: copies, presentedBy: presentation?.account))
        var known = Dictionary(found.records.map { ($0.transaction.key, $0) }) { first, _ in first }
        var merged = known.mapValues(\.transaction)
        for copy in copies where merged[copy.key]?.merge(copy) == nil { merged[copy.key] = copy }
        let (knownOriginals, waiting) = try originals(of: merged.values.map { $0 }, found, copies)
        for held in waiting { merged[held.transaction.key, default: held.transaction].merge(held.transaction) }
        let additions = try addOverlaps(to: &merged, &known, knownOriginals)
        let purchases = try purchases(of: Array(merged.values), known, knownOriginals, additions)
        guard purchases.joinedOriginals.isEmpty else {
            for (key, name) in purchases.joinedOriginals { try join(key, to: name, cause: cause) }
            return try merge(verified.renamed(purchases.joinedOriginals), presented: presentation, cause: cause)
        }
        var earlier = known.mapValues(\.terms).merging(waiting.map { ($0.transaction.key, $0.terms) }) { $0 ?? $1 }
        for copy in merged.values where (earlier[copy.key] ?? nil) == nil {
            if let terms = purchases.recorded(copy)?.terms { earlier[copy.key] = terms }
        }
        let inherited = try inheritedTerms(merged.values.filter { (earlier[$0.key] ?? nil) == nil }, knownOriginals)
        let terms = earlier.merging(inherited) { $0 ?? $1 }
        var claimed = try claim(Array(merged.values), on: knownOriginals, purchases, terms: terms, by: presentation)
        for copy in merged.values { purchases.creditAlike(copy, &claimed.creditedTo) }
        var changes = RecordedChanges(
            standings: standings, known: knownOriginals, claimed: claimed.originalTransactions)
        if !claimed.creditedTo.isEmpty { changes.readAll() }
        var result = try write(
            merged.values.map { ($0, terms[$0.key] ?? nil) }, over: known, purchases, claimed, changes)
        result.remedies = claimed.remedies
        try transferCredits(of: claimed, cause: cause)
        try credit(claimed.creditedTo, cause: cause, takingBackAs: .transfer)
        let before = known.mapValues(\.transaction).merging(waiting.map { ($0.transaction.key, $0.transaction) }) { $1 }
        result.new = Set(result.records.keys).subtracting(known.keys)
        result.changed = Set(copies.map(\.key).filter { merged[$0] != before[$0] })
        let renewed = try writeRenewals(verified.renewals)
        result.changesOriginals = renewed || claimed.originalTransactions != knownOriginals
        return result
    }

    /// Returns the recorded ones among the original transactions of merged copies, and the transactions that wait for
    /// an owner of one of the others. More than was found with the copies is queried only if a copy names another
    /// original transaction than its record does.
    private func originals(
        of merged: [Transaction], _ found: RecordedCopies, _ copies: [Transaction]
    ) throws -> ([OriginalTransaction.Key: OriginalTransaction], [UnclaimedTransaction]) {
        let keys = Set(merged.map(\.originalTransactionKey))
        let others = keys.subtracting(copies.map(\.originalTransactionKey))
        var known = found.originals.filter { keys.contains($0.key) }
        if !others.isEmpty { known.merge(try rows.originalTransactions(others)) { first, _ in first } }
        let awaited = found.awaited.intersection(keys).union(others).subtracting(known.keys)
        return (known, try rows.unclaimed(of: awaited))
    }

    private func write(
        _ merged: [(transaction: Transaction, terms: Product?)], over known: [Transaction.Key: RecordedTransaction],
        _ purchases: RecordedPurchases, _ claimed: ClaimedTransactions, _ changes: RecordedChanges
    ) throws -> MergeResult {
        var result = MergeResult(written: changes)
        var records: [RecordedTransaction] = []
        for (transaction, earlier) in merged {
            let (key, line) = (transaction.key, transaction.originalTransactionKey)
            let terms = earlier ?? context.terms(for: transaction)
            guard let owner = claimed.originalTransactions[line]?.owner else {
                try rows.write(UnclaimedTransaction(transaction: transaction, terms: terms))
                result.unclaimed[key] = transaction
                continue
            }
            // A new copy goes with those of its purchase that are recorded.
            let recorded = purchases.copies(of: transaction).named ?? known[key]
            let credits =
                recorded.map { claimed.creditedTo[$0.transaction.key] ?? $0.creditedTo }
                ?? claimed.owners[line]?.owner(at: transaction.purchaseDate) ?? owner
            records.append(
                RecordedTransaction(
                    transaction: transaction, purchase: purchases.name(of: transaction), terms: terms, owner: owner,
                    creditedTo: claimed.creditsTakenFrom[line] == credits ? owner : credits,
                    creditsFrom: creditsFrom(transaction, known[key])))
        }
        for record in try write(records.creditedAlike, over: known, purchases, &result.written) {
            result.records[record.transaction.key] = record
        }
        return result
    }

    /// Takes the credits back from the accounts whose original transactions were transferred with their credits; the
    /// new owner gets them with the delivery.
    private func transferCredits(of claimed: ClaimedTransactions, cause: String) throws {
        for (key, former) in claimed.creditsTakenFrom {
            guard let owner = claimed.originalTransactions[key]?.owner else { continue }
            try rows.transferCredits(of: key, from: former, to: owner)
            try postCredits(
                of: try state(of: former), in: Scope(app: key.app, environment: key.environment), cause: cause,
                takingBackAs: .transfer)
        }
    }

    /// Credits recorded transactions to other accounts, and posts what that changes.
    func credit(_ credited: [Transaction.Key: AccountID], cause: String?, takingBackAs kind: Posting.Kind) throws {
        guard !credited.isEmpty else { return }
        let former = try rows.transactions(Set(credited.keys))
        for (key, account) in credited { try rows.credit(key, to: account) }
        let accounts = Set(former.map(\.creditedTo)).union(credited.values)
        for account in accounts.sorted() {
            let state = try state(of: account)
            for scope in Set(former.map(\.scope)) {
                try postCredits(of: state, in: scope, cause: cause, takingBackAs: kind)
            }
            try writeStandings(of: state)
        }
    }

    /// - Returns: whether any were new.
    private func writeRenewals(_ renewals: [OriginalTransaction.Key: RenewalFacts]) throws -> Bool {
        guard !renewals.isEmpty else { return false }
        let known = try rows.renewals(Set(renewals.keys))
        let merged = known.merging(renewals) { known, stated in
            var merged = known
            merged.merge(stated)
            return merged
        }
        let changed = merged.filter { $0.value != known[$0.key] }
        for (original, facts) in changed { try rows.write(facts, of: original) }
        return !changed.isEmpty
    }

    /// Returns terms for products that are no longer in the catalog: renewals and restored copies of such a product
    /// inherit the terms of the original transaction's newest purchase of it.
    ///
    /// - Parameter originals: those of the original transactions that are recorded.
    func inheritedTerms(
        _ transactions: [Transaction], _ originals: [OriginalTransaction.Key: OriginalTransaction]
    ) throws -> [Transaction.Key: Product] {
        let removed = transactions.filter { context.catalog.product($0.productID, of: $0.app) == nil }
        let keys = Set(removed.map(\.originalTransactionKey)).intersection(originals.keys)
        let known = try rows.newestTransactions(ofOriginals: keys)
            .sorted { $0.transaction.purchaseDate < $1.transaction.purchaseDate }
        let terms = Dictionary(
            known.compactMap { record in record.terms.map { (OriginalTransactionProduct(record.transaction), $0) } }
        ) { _, newer in newer }
        return removed.reduce(into: [:]) { inherited, transaction in
            guard let earlier = terms[OriginalTransactionProduct(transaction)], earlier.type.fits(transaction) else {
                return
            }
            inherited[transaction.key] = earlier
        }
    }
}

extension RecordedCopies {
    /// The accounts whose histories may change by the copies, as far as can be known before they are claimed.
    fileprivate func concerned(by copies: [Transaction], presentedBy account: AccountID?) -> Set<AccountID> {
        let owners = originals.values.flatMap { [$0.owner] + $0.transfers.map(\.from) }
        let credited = records.flatMap { [$0.owner, $0.creditedTo] }
        return Set(owners + credited + copies.compactMap(\.ownerToken) + [account].compactMap(\.self))
    }
}

extension [RecordedTransaction] {
    /// Those of one purchase, none of which may be recorded yet, credit one account.
    fileprivate var creditedAlike: Self {
        guard count > 1 else { return self }
        let purchases = grouped(by: \.purchaseKey).flatMap { copies in
            guard let named = copies.named else { return copies }
            return copies.map { copy in
                var alike = copy
                alike.creditedTo = named.creditedTo
                return alike
            }
        }
        return purchases + filter { $0.purchase == nil }
    }
}

/// A product within an original transaction.
private struct OriginalTransactionProduct: Hashable {
    var original: OriginalTransaction.Key
    var product: ProductID

    init(_ transaction: Transaction) {
        original = transaction.originalTransactionKey
        product = transaction.productID
    }
}

/// The result of merging copies of transactions with what was recorded.
struct MergeResult {
    /// The transactions that have an owner, of the copies and of those that waited for one; each with what the copies
    /// of its purchase state together.
    var records: [Transaction.Key: RecordedTransaction] = [:]
    var unclaimed: [Transaction.Key: Transaction] = [:]
    /// The records that were not recorded before: nobody has got them yet.
    var new: Set<Transaction.Key> = []
    /// The transactions that are new or changed.
    var changed: Set<Transaction.Key> = []
    /// Whether anything was written of an original transaction, such as its owner, or of a subscription's renewal.
    var changesOriginals = false
    /// The records that were written, before and after.
    var written: RecordedChanges
    /// See ``ClaimedTransactions/remedies``.
    var remedies: [OriginalTransaction.Key: TransferRemedy] = [:]
}
