import Foundation

/// What the store told of a line that has no owner yet. It waits for one.
public struct UnclaimedTransaction: Sendable {
    public var transaction: Transaction
    /// The product when the store first told of it; nil where the catalog had none that fits.
    public var terms: Product?

    public init(transaction: Transaction, terms: Product?) { (self.transaction, self.terms) = (transaction, terms) }
}

/// Copies of transactions as they were recorded.
struct TakenTransactions {
    /// Those that have an owner; besides the copies also what waited for one.
    var records: [Transaction.Key: RecordedTransaction] = [:]
    var unclaimed: [Transaction.Key: Transaction] = [:]
    /// What was not known before, or not like this.
    var news: Set<Transaction.Key> = []
    /// See ``ClaimedLines/remedies``.
    var remedies: [Line.Key: TransferRemedy] = [:]
}

extension ReceiptRecorder {
    /// Merges copies with what is known, decides whose lines they are, and writes all of it.
    ///
    /// - Parameters:
    ///   - presentation: who shows them; nil if nobody does, and only a token gives a line an owner.
    ///   - cause: the receipt or notification that brought them.
    func take(
        _ verified: VerifiedReceipt, presented presentation: Presentation?, cause: String
    ) throws -> TakenTransactions {
        let copies = verified.transactions
        let known = Dictionary(
            try rows.transactions(Set(copies.map(\.key))).map { ($0.transaction.key, $0) }
        ) { first, _ in first }
        var merged = known.mapValues(\.transaction)
        for copy in copies where merged[copy.key]?.merge(copy) == nil { merged[copy.key] = copy }
        let lineKeys = Set(merged.values.map(\.lineKey))
        let knownLines = try rows.lines(lineKeys)
        let waiting = try rows.unclaimed(of: lineKeys.subtracting(knownLines.keys))
        for held in waiting { merged[held.transaction.key, default: held.transaction].merge(held.transaction) }
        let earlier = known.mapValues(\.terms).merging(waiting.map { ($0.transaction.key, $0.terms) }) { $0 ?? $1 }
        let inherited = try inheritedTerms(merged.values.filter { (earlier[$0.key] ?? nil) == nil }, knownLines)
        let terms = earlier.merging(inherited) { $0 ?? $1 }
        let claimed = try claim(
            copies.map { merged[$0.key] ?? $0 }, on: knownLines, terms: terms, by: presentation)
        var taken = try write(merged.values.map { ($0, terms[$0.key] ?? nil) }, over: known, knownLines, claimed)
        taken.remedies = claimed.remedies
        try moveCredits(of: claimed, cause: cause)
        let before = known.mapValues(\.transaction).merging(waiting.map { ($0.transaction.key, $0.transaction) }) {
            $1
        }
        taken.news = Set(copies.map(\.key).filter { merged[$0] != before[$0] })
        try writeRenewals(verified.renewals)
        return taken
    }

    private func write(
        _ merged: [(transaction: Transaction, terms: Product?)], over known: [Transaction.Key: RecordedTransaction],
        _ knownLines: [Line.Key: Line], _ claimed: ClaimedLines
    ) throws -> TakenTransactions {
        let lines = claimed.lines
        let restored = merged.map(\.transaction).filter { known[$0.key] == nil && knownLines[$0.lineKey] != nil }
        let credited = try creditedAccounts(ofPurchasesRestoredBy: restored, lines)
        var taken = TakenTransactions()
        for (transaction, earlier) in merged {
            let key = transaction.key
            let terms = earlier ?? context.terms(for: transaction)
            guard let owner = lines[transaction.lineKey]?.owner else {
                try rows.write(UnclaimedTransaction(transaction: transaction, terms: terms))
                taken.unclaimed[key] = transaction
                continue
            }
            let credits = known[key]?.creditedTo ?? credited[transaction.lineKey] ?? owner
            let movesCredits = claimed.creditsTakenFrom[transaction.lineKey] == credits
            let record = RecordedTransaction(
                transaction: transaction, terms: terms, owner: owner, creditedTo: movesCredits ? owner : credits)
            let isNews = known[key]?.transaction != transaction || (known[key]?.terms == nil && terms != nil)
            if isNews { try rows.write(record) }
            taken.records[key] = record
        }
        return taken
    }

    /// Takes the credits back from the accounts whose lines moved with them; who has the lines now gets them with the
    /// delivery.
    private func moveCredits(of claimed: ClaimedLines, cause: String) throws {
        for (key, former) in claimed.creditsTakenFrom {
            guard let owner = claimed.lines[key]?.owner else { continue }
            try rows.moveCredits(of: key, from: former, to: owner)
            try postCredits(
                of: try state(of: former), in: Scope(app: key.app, environment: key.environment), cause: cause,
                takingBackAs: .transfer)
        }
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

    private func writeRenewals(_ renewals: [Line.Key: RenewalFacts]) throws {
        guard !renewals.isEmpty else { return }
        let known = try rows.renewals(Set(renewals.keys))
        for (line, facts) in renewals where known[line].map({ $0.signedDate < facts.signedDate }) ?? true {
            try rows.write(facts, of: line)
        }
    }
}
