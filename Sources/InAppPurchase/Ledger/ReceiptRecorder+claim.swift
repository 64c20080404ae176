import Foundation

/// A transaction as known now, and when the copy that is presented for it was signed.
struct Evidence {
    var transaction: Transaction
    var signedDate: Date
}

extension ReceiptRecorder {
    /// Settles who owns each line, and writes what changed.
    ///
    /// - Parameters:
    ///   - known: those of the evidence's lines that are recorded.
    ///   - account: who shows the evidence; nil where nobody does, and only a token gives a line an owner.
    /// - Returns: the lines as they are after it, without those that have no owner.
    func claim(
        _ evidence: [Evidence], on known: [Line.Key: Line], terms: [Transaction.Key: Product?], by account: AccountID?
    ) throws -> [Line.Key: Line] {
        // Whoever shows it is an account.
        let tokens = Set(evidence.compactMap(\.transaction.appAccountToken))
        let named = try rows.accounts(among: tokens.filter { $0 != account }).union(account.map { [$0] } ?? [])
        var lines = known
        for piece in evidence {
            let transaction = piece.transaction
            let product = (terms[transaction.key] ?? nil) ?? context.terms(for: transaction)
            let token = transaction.ownershipType == .purchased ? transaction.appAccountToken : nil
            let holder = token.flatMap { named.contains($0) ? $0 : nil }
            let key = transaction.lineKey
            guard let account else {
                lines[key] = lines[key]?.named(holder) ?? holder.map { Line(key: key, owner: $0, basis: .token) }
                continue
            }
            let claim = Claim(
                account: account, named: holder, signedDate: piece.signedDate,
                ownership: product?.ownership ?? .keep)
            lines[key] = claim.settle(lines[key], key: key, at: context.date)
        }
        for (key, line) in lines where line != known[key] {
            try rows.write(line)
            try auditMoves(of: line, since: known[key])
        }
        return lines
    }

    private func auditMoves(of line: Line, since known: Line?) throws {
        let moves = line.moves.dropFirst(known?.moves.count ?? 0)
        let owners = (known.map { [$0.owner] } ?? []) + moves.flatMap { [$0.from, $0.to] } + [line.owner]
        for (from, to) in zip(owners, owners.dropFirst()) where from != to {
            try auditMove(of: line.key, from: from, to: to)
        }
    }

    private func auditMove(of line: Line.Key, from: AccountID, to: AccountID) throws {
        try rows.append(
            AuditEntry(
                .lineMoved, account: to, subject: line.originalID,
                content: line.moveContent(from: from, to: to), at: context.date))
    }
}

extension Line.Key {
    /// What the audit trail says of a line that moved.
    func moveContent(from: AccountID, to: AccountID) -> [String: JSONValue] {
        [
            "app": .string(app), "environment": .string(environment.rawValue), "accessLostBy": .string(from.text),
            "accessGainedBy": .string(to.text), "creditsStayWith": .string(from.text),
        ]
    }
}
