import Basics
import Crypto
package import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    package func checkAccounts(
        at date: Date, progress: @escaping @Sendable (_ accounts: Int, _ total: Int) -> Void,
        _ report: @escaping @Sendable (LedgerDifference) throws -> Void
    ) async throws -> LedgerCounts {
        // Credits and unlimited access do not depend on the catalog: terms are stored with every purchase.
        let context = RecordingContext(catalog: Catalog(), date: date)
        return try await read { rows in
            var counts = LedgerCounts()
            func tell(_ difference: LedgerDifference) throws {
                counts.differences += 1
                try report(difference)
            }
            try rows.findDanglingReferences(tell)
            try rows.findAlteredTerms(tell)
            try rows.findAlteredFacts(tell)
            try rows.findWrongReportDays(tell)
            let total: Int = try rows.one("SELECT count(*) AS accounts FROM accounts", [])?["accounts"] ?? 0
            progress(0, total)
            try rows.eachAccount { account in
                counts.accounts += 1
                defer { progress(counts.accounts, total) }
                do {
                    let books = try rows.accountAudit(of: account, in: context)
                    counts.add(books)
                    try books.differences.forEach(tell)
                    try rows.wrongStandings(of: books.state).forEach(tell)
                } catch let error where error is DecodingError || error is LedgerUnavailable {
                    try tell(LedgerDifference(account: account, "history", stored: "\(error)", folded: "readable"))
                }
            }
            return counts
        }
    }

    package func rebuildBalances(by actor: AuditActor, at date: Date) async throws -> Int {
        try await write { rows in
            let wrong = try rows.wrongBalances()
            for row in wrong {
                let account = try row.account("account")
                let (app, environment, currency): (String, String, String) = try (
                    row["app"], row["environment"], row["currency"]
                )
                try rows.send(
                    """
                    INSERT INTO balances (account, app, environment, currency, amount) VALUES (?, ?, ?, ?, ?)
                    ON CONFLICT (account, app, environment, currency) DO UPDATE SET amount = excluded.amount
                    """, [account.text, app, environment, currency, try row["folded"] as Int])
                try rows.append(
                    try AuditEntry(
                        .balanceRebuilt, by: actor, account: account,
                        content: [
                            "app": .string(app), "environment": .string(environment), "currency": .string(currency),
                            "before": .integer(row["stored"]), "after": .integer(row["folded"]),
                        ], at: date))
            }
            return wrong.count
        }
    }

    package func rebuildStandings(at date: Date) async throws -> Int {
        let context = RecordingContext(catalog: Catalog(), date: date)
        var (count, last) = (0, "")
        while true {
            let after = last
            let page = try await read { try $0.accounts(after: after, limit: Self.accountsInAWrite) }
            guard let end = page.last else { return count }
            count += try await write { rows in try page.count { try rows.rebuildStandings(of: $0, in: context) } }
            last = end.text
        }
    }

    /// The number of accounts in one write, which players' writes wait for.
    private static let accountsInAWrite = 100

    package func compactReceipts(after last: String, atMost count: Int) async throws -> CompactedReceipts {
        // Not by the writer, which everybody waits for: if most are packed, few of many rows are found.
        let rows = try await read { try $0.receiptsToBePacked(after: last, atMost: count) }
        guard let end = rows.last, rows.found > 0 else {
            return CompactedReceipts(last: rows.last, lookedAt: rows.lookedAt, packed: 0, bytesBefore: 0, bytesAfter: 0)
        }
        var page = try await write { try $0.packReceipts(after: last, upTo: end) }
        page.lookedAt = rows.lookedAt
        return page
    }

    package func reclaimSpace() async throws { try await database.reclaimSpace() }
}

extension LedgerCounts {
    fileprivate mutating func add(_ books: AccountAudit) {
        // A transferred original transaction is in the history of both accounts.
        transactions += books.transactions
        (postings, spends) = (postings + books.postings.count, spends + books.spends.count)
        receipts += books.receipts.count
    }
}

extension LedgerRows {
    fileprivate func wrongBalances() throws -> [SQLRow] {
        try all(
            """
            SELECT account, app, environment, currency, CAST(sum(stored) AS BIGINT) AS stored,
                CAST(sum(folded) AS BIGINT) AS folded
            FROM (
                SELECT account, app, environment, currency, amount AS stored, 0 AS folded FROM balances
                UNION ALL
                SELECT account, app, environment, currency, 0, sum(amount) FROM postings
                GROUP BY account, app, environment, currency
            ) amounts GROUP BY account, app, environment, currency HAVING sum(stored) <> sum(folded)
            """, [])
    }

    /// Calls `body` for each account; reads a page of them at a time, since `body` makes further queries.
    fileprivate func eachAccount(_ body: (AccountID) throws -> Void) throws {
        var last = ""
        while true {
            let page = try accounts(after: last, limit: Self.accountsInAPage)
            try page.forEach(body)
            guard let next = page.last?.text else { return }
            last = next
        }
    }

    fileprivate func accounts(after id: String, limit: Int) throws -> [AccountID] {
        try all("SELECT id FROM accounts WHERE id > ? ORDER BY id LIMIT ?", [id, limit]).map { try $0.account("id") }
    }

    private static let accountsInAPage = 1_000

    fileprivate func findDanglingReferences(_ tell: (LedgerDifference) throws -> Void) throws {
        guard let check = db.dialect.referenceCheck else { return }
        try db.each(check, []) { row in
            let (table, parent): (String, String) = try (row["table"], row["parent"])
            try tell(LedgerDifference("a row of \(table)", stored: "names nothing in \(parent)", folded: "names a row"))
        }
    }

    fileprivate func findAlteredTerms(_ tell: (LedgerDifference) throws -> Void) throws {
        try db.each("SELECT hash, \(db.dialect.bytes(of: "product")) AS product FROM terms", []) { row in
            let (hash, product): (Data, Data) = try (row["hash"], row["product"])
            let actual = Data(SHA256.hash(data: product))
            guard actual != hash else { return }
            try tell(LedgerDifference("terms", stored: "hash \(hash.hex)", folded: "hash \(actual.hex)"))
        }
    }

    /// The transaction as reports count it: with what all copies of the purchase state, and refunds of copies not. What
    /// added seats has refunds of its own.
    private func reported(_ transaction: Transaction, _ row: SQLRow) throws -> Transaction {
        if let purchase: String = try row["purchaseFacts"] { return try facts.decode(purchase) }
        guard let name: String = try row["purchase"], name != transaction.id.text, name != RecordedTransaction.seatsSign
        else { return transaction }
        var copy = transaction
        copy.revocation = nil
        return copy
    }

    /// Compares the columns that transactions are found by with the stored facts that they are copies of: of earlier
    /// versions all of them, otherwise the date of the revocation.
    fileprivate func findAlteredFacts(_ tell: (LedgerDifference) throws -> Void) throws {
        let names = ["app", "environment", "id", "originalID", "product"]
        let dates = "purchasedAt, expiresAt, revokedAt"
        let columns = names.joined(separator: ", ")
        let query: SQLStatement = "SELECT \(columns), \(dates), facts, purchase, purchaseFacts FROM transactions"
        try db.each(query, []) { row in
            let columns: [String] = try names.map { try row[$0] }
            let facts = try? transaction(of: row)
            let said = facts.map {
                [$0.app.text, $0.environment.rawValue, $0.id.text, $0.originalID.text, $0.productID.text]
            }
            let dates: [Int?] = try [row["purchasedAt"], row["revokedAt"]]
            if said != columns {
                try tell(
                    LedgerDifference(
                        "transaction \(columns[2])", stored: columns.joined(separator: " "),
                        folded: said?.joined(separator: " ") ?? "readable"))
            } else if let facts, dates != (try reported(facts, row)).reportDates {
                try tell(
                    LedgerDifference(
                        "dates of transaction \(columns[2])", stored: dates.texts,
                        folded: try reported(facts, row).reportDates.texts))
            }
        }
    }
}

extension Transaction {
    /// The dates by which reports find it.
    fileprivate var reportDates: [Int?] { [purchaseDate.milliseconds, revocation?.date.milliseconds] }
}

extension [Int?] {
    fileprivate var texts: String { map { $0.map(String.init) ?? "none" }.joined(separator: " ") }
}

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

/// The periods that an earlier version recorded under several IDs as several purchases; see
/// `docs/operate/backup.md`.
extension SQLLedger {
    package func doubledPeriods(limit: Int) async throws -> [DoubledPeriod] {
        try await read { try $0.doubledPeriods(limit: limit).map { DoubledPeriod($0) } }
    }

    package func repairPeriods(
        at date: Date, _ report: @escaping @Sendable (DoubledPeriod) throws -> Void
    ) async throws -> Int {
        // Terms are stored with every purchase.
        let context = RecordingContext(catalog: Catalog(), date: date)
        var count = 0
        while let account = try await read({ try $0.doubledPeriods(limit: 1).first?.creditedTo }) {
            count += try await write { rows in
                let doubled = try rows.doubledPeriods(of: account)
                for period in doubled { try report(DoubledPeriod(period)) }
                try rows.send(
                    "UPDATE transactions SET isDoubled = 0 WHERE creditedTo = ? AND isDoubled = 1", [account.text])
                try ReceiptRecorder(rows, context).countOnce(doubled)
                return doubled.count
            }
        }
        return count
    }
}

extension LedgerRows {
    fileprivate func doubledPeriods(limit: Int) throws -> [RecordedTransaction] {
        let found = try all(
            """
            SELECT app, environment, id FROM \(Self.doubled(db.dialect))
            ORDER BY creditedTo, app, environment, id LIMIT ?
            """, [limit])
        return try transactions(Set(found.map { try $0.transactionKey() }))
            .sorted { $0.creditedTo.text < $1.creditedTo.text }
    }

    fileprivate func doubledPeriods(of account: AccountID) throws -> [RecordedTransaction] {
        let found = try all(
            "SELECT app, environment, id FROM \(Self.doubled(db.dialect)) AND creditedTo = ?", [account.text])
        return try transactions(Set(found.map { try $0.transactionKey() }))
    }

    private static func doubled(_ dialect: SQLDialect) -> String {
        "transactions \(dialect.using(index: "transactionsDoubled")) WHERE isDoubled = 1 AND forgottenAt IS NULL"
    }
}
