public import Foundation

/// The ledger's rules for what a verified receipt brings: merge, claim, deliver. Runs inside one database transaction.
public struct ReceiptRecorder<Rows: LedgerTransaction> {
    let rows: Rows
    let context: DecisionContext

    public init(_ rows: Rows, _ context: DecisionContext) { (self.rows, self.context) = (rows, context) }

    /// Records new copies of transactions, settles who owns them, and delivers.
    public func record(
        _ verified: VerifiedReceipt, presentedBy account: AccountID, receipt: String
    ) throws -> RecordedReceipt {
        let copies = verified.transactions
        let known = try rows.transactions(Set(copies.map(\.key)))
        var records = Dictionary(known.map { ($0.transaction.key, $0) }) { first, _ in first }
        var merged = records.mapValues(\.transaction)
        for copy in copies {
            merged[copy.key, default: copy].merge(copy)
        }
        let evidence = copies.map { Evidence(transaction: merged[$0.key] ?? $0, signedDate: $0.signedDate) }
        let knownLines = try rows.lines(Set(evidence.map(\.transaction.lineKey)))
        let inherited = try inheritedTerms(merged.values.filter { records[$0.key]?.terms == nil }, knownLines)
        let terms = records.mapValues(\.terms).merging(inherited) { $0 ?? $1 }
        let lines = try claim(evidence, on: knownLines, terms: terms, by: account)
        let restored = merged.values.filter { records[$0.key] == nil && knownLines[$0.lineKey] != nil }
        let credited = try creditedAccounts(ofPurchasesRestoredBy: restored, lines)
        for transaction in merged.values {
            guard let owner = lines[transaction.lineKey]?.owner else { continue }
            records[transaction.key] = try write(
                transaction, over: records[transaction.key], owner: owner,
                creditedTo: credited[transaction.lineKey] ?? owner, inherited: inherited[transaction.key])
        }
        try writeRenewals(verified.renewals)
        return try deliver(
            copies.map(\.key).unique.compactMap { records[$0] }, presentedBy: account, receipt: receipt)
    }

    /// Settles and delivers what was recorded before, as if the same copies came again.
    ///
    /// - Parameter signedDates: when the copies were signed that this receipt holds.
    public func presentAgain(
        _ signedDates: [(key: Transaction.Key, signedDate: Date)], by account: AccountID, receipt: String
    ) throws -> RecordedReceipt {
        let known = try rows.transactions(Set(signedDates.map(\.key)))
        let records = Dictionary(known.map { ($0.transaction.key, $0) }) { first, _ in first }
        let evidence = signedDates.compactMap { copy in
            records[copy.key].map { Evidence(transaction: $0.transaction, signedDate: copy.signedDate) }
        }
        let knownLines = try rows.lines(Set(evidence.map(\.transaction.lineKey)))
        let lines = try claim(evidence, on: knownLines, terms: records.mapValues(\.terms), by: account)
        let current = signedDates.compactMap { copy in
            records[copy.key].map { record in
                var record = record
                record.owner = lines[record.transaction.lineKey]?.owner ?? record.owner
                return record
            }
        }
        return try deliver(current, presentedBy: account, receipt: receipt)
    }

    /// Outside subscriptions all transactions of a line are one purchase, whose credits went to one account, whoever
    /// restores it later.
    private func creditedAccounts(
        ofPurchasesRestoredBy copies: [Transaction], _ lines: [Line.Key: Line]
    ) throws -> [Line.Key: AccountID] {
        let keys = Set(copies.filter { $0.expirationDate == nil }.map(\.lineKey))
        let owners = Set(keys.compactMap { lines[$0]?.owner })
        let known = try owners.flatMap { try rows.transactions(of: $0) }
            .filter { $0.transaction.expirationDate == nil && keys.contains($0.transaction.lineKey) }
        return Dictionary(known.map { ($0.transaction.lineKey, $0.creditedTo) }) { first, _ in first }
    }

    private func write(
        _ transaction: Transaction, over known: RecordedTransaction?, owner: AccountID, creditedTo: AccountID,
        inherited: Product?
    ) throws -> RecordedTransaction {
        let record = RecordedTransaction(
            transaction: transaction, terms: known?.terms ?? context.terms(for: transaction) ?? inherited,
            owner: owner, creditedTo: known?.creditedTo ?? creditedTo)
        let isNews = known?.transaction != transaction || (known?.terms == nil && record.terms != nil)
        if isNews { try rows.write(record) }
        return record
    }

    private func writeRenewals(_ renewals: [Line.Key: RenewalFacts]) throws {
        guard !renewals.isEmpty else { return }
        let known = try rows.renewals(Set(renewals.keys))
        for (line, facts) in renewals where known[line].map({ $0.signedDate < facts.signedDate }) ?? true {
            try rows.write(facts, of: line)
        }
    }
}

/// What a receipt came to for the account that presented it.
public struct RecordedReceipt: Sendable {
    /// In the order of the receipt.
    public var transactions: [TransactionAnswer]
    /// Every transaction in it belongs to another account.
    public var isConflict: Bool
    /// The account's, after all was recorded.
    public var state: AccountState
}

extension DecisionContext {
    /// The product as it is sold now, where it fits what the store says was bought.
    func terms(for transaction: Transaction) -> Product? {
        catalog.product(transaction.productID, of: transaction.app)
            .flatMap { $0.type.fits(transaction.productType) ? $0 : nil }
    }
}
