import Foundation

/// Who shows transactions, and what the bytes that were sent prove.
struct Presentation {
    var account: AccountID
    /// Nil if the bytes have no date.
    var evidence: PresentedEvidence?
    /// Whether what another account owns may move.
    var mayTransfer: Bool

    init(_ receipt: Receipt, _ verified: VerifiedReceipt) {
        (account, mayTransfer, evidence) = (receipt.account, receipt.mayTransfer, verified.evidence)
        if receipt.isForDevice { evidence?.isForDevice = true }
    }

    func evidence(for transaction: Transaction) -> PresentedEvidence? {
        evidence.flatMap { $0.transactions.contains(transaction.id) ? $0 : nil }
    }
}

/// Who owns the lines after what was shown.
struct ClaimedLines {
    /// Without those that have no owner.
    var lines: [Line.Key: Line]
    /// What the app can do about lines that belong to another account than the one that shows them.
    var remedies: [Line.Key: TransferRemedy] = [:]
    /// Lines that moved with their credits, and the account that had those.
    var creditsTakenFrom: [Line.Key: AccountID] = [:]
}

extension ReceiptRecorder {
    /// Decides who owns each line, and writes what changed.
    ///
    /// - Parameters:
    ///   - copies: what is known now of the transactions that were shown or told of.
    ///   - known: those of their lines that are recorded.
    ///   - presentation: nil if nobody shows them; then only a token gives a line an owner, and none moves.
    func claim(
        _ copies: [Transaction], on known: [Line.Key: Line], terms: [Transaction.Key: Product?],
        by presentation: Presentation?
    ) throws -> ClaimedLines {
        let holders = known.values.compactMap(\.tokenHolder)
        let living = try rows.livingAccounts(named: Set(copies.compactMap(\.ownerToken) + holders))
        var claimed = ClaimedLines(lines: name(copies, on: known, living))
        if let presentation {
            // What only the App Store told of goes first: it can give a line its first owner, and never move it.
            let shown = copies.filter { presentation.evidence(for: $0) != nil }
            let told = copies.filter { presentation.evidence(for: $0) == nil }
            for copy in told + shown {
                let ownership = ((terms[copy.key] ?? nil) ?? context.terms(for: copy))?.ownership ?? .keep
                let formerly = known[copy.lineKey]?.tokenHolder.flatMap { living[$0] }
                let claim = Claim(
                    account: presentation.account, named: copy.ownerToken.flatMap { living[$0] },
                    formerlyNamed: formerly, evidence: presentation.evidence(for: copy), ownership: ownership,
                    mayTransfer: presentation.mayTransfer)
                try apply(claim, to: copy, &claimed)
            }
        }
        for (key, line) in claimed.lines where line != known[key] { try write(line, since: known[key], claimed) }
        return claimed
    }

    /// A token names the owner of a line that has none, or whose owner was only the first to show it.
    private func name(
        _ copies: [Transaction], on known: [Line.Key: Line], _ living: [AccountID: AccountID]
    ) -> [Line.Key: Line] {
        copies.reduce(into: known) { lines, copy in
            let (key, named) = (copy.lineKey, copy.ownerToken.flatMap { living[$0] })
            lines[key] = lines[key]?.named(named) ?? named.map { Line(key: key, owner: $0, basis: .token) }
        }
    }

    private func apply(_ claim: Claim, to copy: Transaction, _ claimed: inout ClaimedLines) throws {
        let (key, before) = (copy.lineKey, claimed.lines[copy.lineKey])
        var claim = claim
        let isUntouched = try before.map { try mayMoveWithCredits($0, claim, copy) } ?? false
        if isUntouched { claim.ownership = .transfer }
        let result = claim.settle(before, key: key, at: context.date)
        (claimed.lines[key], claimed.remedies[key]) = (result.line, result.remedy)
        if isUntouched, let before, result.line.owner != before.owner { claimed.creditsTakenFrom[key] = before.owner }
    }

    /// Whether a line under `keep` moves all the same, once and with its credits: its owner, whom a token names, never
    /// showed it, did nothing since the purchase, and has spent none of its credits. So it is where a player bought, and
    /// the app came back as another account before it could present the purchase.
    ///
    /// A session that was opened before the purchase and is used without sending a receipt is not noticed.
    private func mayMoveWithCredits(_ line: Line, _ claim: Claim, _ copy: Transaction) throws -> Bool {
        guard claim.ownership == .keep, claim.evidence != nil, line.owner != claim.account, line.basis == .token,
            line.moves.isEmpty, line.ownerEvidenceDate == nil
        else { return false }
        let bought = copy.originalPurchaseDate ?? copy.purchaseDate
        return try !rows.hasBeenUsed(line.owner, since: min(bought, copy.purchaseDate)) && hasUnspentCredits(of: line)
    }

    private func hasUnspentCredits(of line: Line) throws -> Bool {
        let scope = Scope(app: line.key.app, environment: line.key.environment)
        let state = try state(of: line.owner)
        let others = AccountState(
            account: line.owner, records: state.records.filter { $0.transaction.lineKey != line.key },
            renewals: state.renewals, context: state.context)
        let products = Set(state.records.filter { $0.transaction.lineKey == line.key }.map(\.transaction.productID))
        let earned = products.reduce(into: Credits()) { sum, product in
            let without = others.credits(of: product, in: scope)
            for (currency, amount) in state.credits(of: product, in: scope) {
                let rest = (without[currency] ?? 0).saturatingMultiplied(by: -1)
                sum[currency, default: 0] = (sum[currency] ?? 0).saturatingAdding(amount.saturatingAdding(rest))
            }
        }
        let balances = try rows.balances(of: line.owner, in: scope)
        return earned.allSatisfy { $0.value <= 0 || balances[$0.key] ?? 0 >= $0.value }
    }

    private func write(_ line: Line, since known: Line?, _ claimed: ClaimedLines) throws {
        let moves = Array(line.moves.dropFirst(known?.moves.count ?? 0))
        try rows.write(line, adding: moves)
        let owners = (known.map { [$0.owner] } ?? []) + moves.flatMap { [$0.from, $0.to] } + [line.owner]
        for (from, to) in zip(owners, owners.dropFirst()) where from != to {
            let takesCredits = claimed.creditsTakenFrom[line.key] == from
            try rows.append(
                AuditEntry(
                    .lineMoved, account: to, subject: line.key.originalID,
                    content: line.key.moveContent(from: from, to: to, takesCredits: takesCredits), at: context.date))
        }
    }
}

extension Line.Key {
    /// What the audit trail says of a line that moved.
    func moveContent(from: AccountID, to: AccountID, takesCredits: Bool = false) -> [String: JSONValue] {
        [
            "app": .string(app), "environment": .string(environment.rawValue), "accessLostBy": .string(from.text),
            "accessGainedBy": .string(to.text), "creditsStayWith": .string(takesCredits ? to.text : from.text),
        ]
    }
}
