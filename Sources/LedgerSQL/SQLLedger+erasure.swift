import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    /// The maximum number of rows erased in one transaction and named by one audit row: players' writes then wait for
    /// less than a tenth of a second.
    private static let erasureBatch = 500

    package func eraseContent(_ choice: ErasureChoice, _ act: SupportAct) async throws -> ErasureOutcome {
        switch choice {
        case .account(let account): try await eraseContent(of: account, act)
        case .rows(let ranges): try await eraseContent(ofRows: ranges, act)
        }
    }

    private func eraseContent(of account: AccountID, _ act: SupportAct) async throws -> ErasureOutcome {
        // Rows written meanwhile, including those that record the erasure, are left to the next call.
        let last = try await read { try $0.lastSequence() }
        var (outcome, after) = (ErasureOutcome(), Int.min)
        while true {
            let cursor = after
            let found = try await write { rows in
                let found = try rows.erasable(of: account, after: cursor, upTo: last, limit: Self.erasureBatch)
                if !found.isEmpty { try rows.eraseContent(of: found, about: account, act) }
                return found
            }
            guard let end = found.last else { return outcome }
            (outcome.erased, after) = (outcome.erased + found.count, end)
        }
    }

    /// In one transaction: all of them, or none.
    private func eraseContent(ofRows ranges: [ClosedRange<Int>], _ act: SupportAct) async throws -> ErasureOutcome {
        try await write { rows in
            var (named, kept): ([Int], Int) = ([], 0)
            for range in ranges {
                for row in try rows.erasable(in: range, limit: ErasureChoice.maximumRows + 1) {
                    guard row.kind != AuditEntry.Kind.contentErased.rawValue else {
                        throw ErasureRefusal.tellsOfAnErasure(sequence: row.sequence)
                    }
                    named.append(row.sequence)
                    kept += row.hasContent ? 1 : 0
                }
                guard named.count <= ErasureChoice.maximumRows else { throw ErasureRefusal.tooManyRows }
            }
            guard !named.isEmpty else { throw ErasureRefusal.noSuchRow }
            try rows.eraseContent(of: named, about: nil, act)
            return ErasureOutcome(erased: kept, named: named.count - kept)
        }
    }
}

extension LedgerRows {
    fileprivate func lastSequence() throws -> Int {
        try one("SELECT max(sequence) AS last FROM audit", [])?["last"] ?? 0
    }

    /// The numbers of an account's rows that have a content and do not record an erasure themselves.
    fileprivate func erasable(of account: AccountID, after: Int, upTo last: Int, limit: Int) throws -> [Int] {
        try all(
            """
            SELECT sequence FROM audit
            WHERE account = ? AND sequence > ? AND sequence <= ? AND content IS NOT NULL AND kind <> ?
            ORDER BY sequence LIMIT ?
            """, [account.text, after, last, AuditEntry.Kind.contentErased.rawValue, limit]
        ).map { try $0["sequence"] }
    }

    fileprivate func erasable(
        in range: ClosedRange<Int>, limit: Int
    ) throws -> [(sequence: Int, kind: String, hasContent: Bool)] {
        try all(
            """
            SELECT sequence, kind, CASE WHEN content IS NULL THEN 0 ELSE 1 END AS has FROM audit
            WHERE sequence BETWEEN ? AND ? ORDER BY sequence LIMIT ?
            """, [range.lowerBound, range.upperBound, limit]
        ).map { try ($0["sequence"], $0["kind"], $0["has"] as Int == 1) }
    }

    /// Erases the contents, and records that in the same transaction.
    fileprivate func eraseContent(of sequences: [Int], about account: AccountID?, _ act: SupportAct) throws {
        for sequence in sequences {
            try send("UPDATE audit SET content = NULL WHERE sequence = ? AND content IS NOT NULL", [sequence])
        }
        try append(
            AuditEntry(
                .contentErased, by: act.actor, account: account,
                content: ["rows": ErasedRows(sequences).json, "reason": .string(act.reason)], at: act.date))
    }
}
