package import Foundation
import InAppPurchase
package import Ledger

/// The subscriptions that an earlier version left with their former owners; see `docs/operate/backup.md`.
extension SQLLedger {
    /// The number of original transactions in one read.
    private static let originalsInAPage = 500

    package func misplacedPurchases(
        _ report: @escaping @Sendable (MisplacedPurchase) throws -> Void
    ) async throws -> Int {
        try await eachMisplaced { original, payer in try report(MisplacedPurchase(original, payer: payer)) }
    }

    package func repairOwners(
        at date: Date, _ report: @escaping @Sendable (MisplacedPurchase) throws -> Void
    ) async throws -> Int {
        // Terms are stored with every purchase.
        let context = RecordingContext(catalog: Catalog(), date: date)
        return try await eachMisplaced { original, payer in
            try report(MisplacedPurchase(original, payer: payer))
            try await self.write { rows in
                let recorder = ReceiptRecorder(rows, context)
                guard let known = try rows.originalTransactions([original.key])[original.key],
                    let moved = try recorder.movedToPayer(known)
                else { return }
                try recorder.move(known, to: moved)
            }
        }
    }

    private func eachMisplaced(
        _ body: (OriginalTransaction, AccountID) async throws -> Void
    ) async throws -> Int {
        let context = RecordingContext(catalog: Catalog(), date: .distantPast)
        var (count, last): (Int, SQLArguments) = (0, ["", "", ""])
        while true {
            let after = last
            let (end, page) = try await read { rows in
                let keys = try rows.renewedOriginals(after: after, limit: Self.originalsInAPage)
                let originals = try rows.originalTransactions(Set(keys))
                let recorder = ReceiptRecorder(rows, context)
                let misplaced = try keys.compactMap { originals[$0] }.compactMap { original in
                    try recorder.movedToPayer(original).map { (original, $0.owner) }
                }
                return (keys.last, misplaced)
            }
            for (original, payer) in page { try await body(original, payer) }
            count += page.count
            guard let end else { return count }
            last = end.arguments
        }
    }
}

extension LedgerRows {
    /// The original transactions with several transactions, in the order of their keys.
    fileprivate func renewedOriginals(
        after key: SQLArguments, limit: Int
    ) throws -> [OriginalTransaction.Key] {
        try all(
            """
            SELECT app, environment, originalID FROM lines l
            WHERE (app, environment, originalID) > (?, ?, ?) AND forgottenAt IS NULL AND 1 < (
                SELECT count(*) FROM transactions t
                WHERE t.app = l.app AND t.environment = l.environment AND t.originalID = l.originalID)
            ORDER BY app, environment, originalID LIMIT ?
            """, key + [limit]
        ).map { try $0.originalTransactionKey() }
    }
}
