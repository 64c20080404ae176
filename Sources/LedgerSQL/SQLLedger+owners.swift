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
        let count = try await eachMisplaced { original, payer in
            try report(MisplacedPurchase(original, payer: payer))
            try await self.write { rows in
                let recorder = ReceiptRecorder(rows, context)
                guard let known = try rows.originalTransactions([original.key])[original.key],
                    let moved = try recorder.movedToPayer(known)
                else { return }
                try recorder.move(known, to: moved)
            }
        }
        try await setMisplacedPurchaseCount(0)
        return count
    }

    package func misplacedPurchaseCount() async throws -> Int { try await read { try $0.misplacedSearch().found } }

    package func setMisplacedPurchaseCount(_ count: Int) async throws {
        try await write { try $0.set(MisplacedSearch(found: count, isDone: true)) }
    }

    package func countMisplacedPurchases(inNext limit: Int) async throws -> Bool {
        let (search, page) = try await read { rows in
            let search = try rows.misplacedSearch()
            return (search, search.isDone ? nil : try rows.misplaced(after: search.last, limit: limit))
        }
        guard let page else { return false }
        return try await write { rows in
            // Another server was faster, or a command counted them all.
            guard try rows.misplacedSearch() == search else { return true }
            try rows.set(
                MisplacedSearch(found: search.found + page.purchases.count, last: page.last, isDone: page.last == nil))
            return page.last != nil
        }
    }

    private func eachMisplaced(_ body: (OriginalTransaction, AccountID) async throws -> Void) async throws -> Int {
        var (count, last): (Int, OriginalTransaction.Key?) = (0, nil)
        repeat {
            let after = last
            let page = try await read { try $0.misplaced(after: after, limit: Self.originalsInAPage) }
            for (original, payer) in page.purchases { try await body(original, payer) }
            count += page.purchases.count
            last = page.last
        } while last != nil
        return count
    }
}

/// How far ``SQLLedger/countMisplacedPurchases(inNext:)`` has come.
private struct MisplacedSearch: Codable, Hashable {
    var found = 0
    /// The last original transaction that was looked at; `nil` before the first, and after all.
    var last: OriginalTransaction.Key?
    var isDone = false
}

extension LedgerRows {
    /// Finds the misplaced purchases among the next original transactions, with the accounts that paid.
    ///
    /// - Returns: also the last original transaction that was looked at; `nil` if none is left.
    fileprivate func misplaced(
        after key: OriginalTransaction.Key?, limit: Int
    ) throws -> (purchases: [(OriginalTransaction, payer: AccountID)], last: OriginalTransaction.Key?) {
        let looked = try all(Self.nextOriginals(db.dialect), (key?.arguments ?? ["", "", ""]) + [limit])
        let keys = try looked.filter { try $0["isRenewed"] == 1 }.map { try $0.originalTransactionKey() }
        let originals = try originalTransactions(Set(keys))
        let recorder = ReceiptRecorder(self, RecordingContext(catalog: Catalog(), date: .distantPast))
        let purchases = try keys.compactMap { originals[$0] }.compactMap { original in
            try recorder.movedToPayer(original).map { (original, payer: $0.owner) }
        }
        return (purchases, looked.count < limit ? nil : try looked.last?.originalTransactionKey())
    }

    /// The original transactions after one, in the order of the table's key, and whether they have several
    /// transactions: only as many rows are read as a page has, however few of them are subscriptions.
    private static func nextOriginals(_ dialect: SQLDialect) -> SQLStatement {
        let (columns, values) =
            switch dialect {
            case .sqlite: ("app, environment, originalID", "?1, ?2, ?3")
            case .postgres: ("originalID, app, environment", "?3, ?1, ?2")
            }
        return """
            SELECT app, environment, originalID, CASE WHEN forgottenAt IS NULL AND 1 < (
                SELECT count(*) FROM transactions t
                WHERE t.app = l.app AND t.environment = l.environment AND t.originalID = l.originalID)
                THEN 1 ELSE 0 END AS isRenewed
            FROM lines l WHERE (\(columns)) > (\(values)) ORDER BY \(columns) LIMIT ?4
            """
    }

    /// A copy in another database has another order, so it is searched anew.
    private var searchKey: String { "misplacedPurchases/\(db.dialect)" }

    fileprivate func misplacedSearch() throws -> MisplacedSearch {
        guard let value = try value(forKey: searchKey) else { return MisplacedSearch() }
        return try JSON.decode(MisplacedSearch.self, from: String(decoding: value, as: UTF8.self))
    }

    fileprivate func set(_ search: MisplacedSearch) throws {
        try set(Data(try JSON.encode(search).utf8), forKey: searchKey)
    }
}
