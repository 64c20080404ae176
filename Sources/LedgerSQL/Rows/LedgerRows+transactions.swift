import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    static let columns = """
        SELECT t.app, t.environment, t.id, t.originalID, t.product, t.purchasedAt, t.expiresAt, t.facts, t.terms,
            t.purchase, t.creditedTo, t.creditsFrom, l.owner, m.product AS termsProduct

        """

    static let lineAndTerms = """
        JOIN lines l USING (app, environment, originalID)
        LEFT JOIN terms m ON m.hash = t.terms

        """

    private static let records = columns + "FROM transactions t " + lineAndTerms

    /// Fixes the join order: in another order SQLite reads all transactions of all accounts. What an account owns
    /// credits it, or has had another owner.
    ///
    /// - Parameter condition: for the transactions `x`.
    private static func recordsOfAccount(_ dialect: SQLDialect, where condition: String = "") -> String {
        columns + """
            FROM (
                SELECT x.app, x.environment, x.id FROM transactions x \(dialect.using(index: "transactionsCredited"))
                WHERE x.creditedTo = ?1 \(condition)
                UNION
                SELECT x.app, x.environment, x.id
                FROM lines l \(dialect.using(index: "linesChangedOwner"))
                \(dialect.orderedJoin) transactions x \(dialect.using(index: "transactionsLine"))
                    USING (app, environment, originalID)
                WHERE owner = ?1 AND changedOwner = 1 \(condition)
                UNION
                SELECT x.app, x.environment, x.id
                FROM lineMoves m \(dialect.using(index: "lineMovesFrom"))
                \(dialect.orderedJoin) lines l USING (app, environment, originalID)
                \(dialect.orderedJoin) transactions x \(dialect.using(index: "transactionsLine"))
                    USING (app, environment, originalID)
                WHERE fromAccount = ?1 AND m.position >= l.forgottenMoves \(condition)
            ) found \(dialect.orderedJoin) transactions t USING (app, environment, id)

            """ + lineAndTerms + "WHERE t.forgottenAt IS NULL"
    }

    func transactions(_ keys: Set<Transaction.Key>) throws -> [RecordedTransaction] {
        try all(of: keys, Self.recordsByKey).map { try record($0) }
    }

    private static let recordsByKey = KeyedSelection<Transaction.Key> { dialect in
        columns + "FROM keys \(dialect.orderedJoin) transactions t USING (app, environment, id) " + lineAndTerms
            + "WHERE t.forgottenAt IS NULL"
    }

    func transactionsWithoutTerms(of products: [BundleID: Set<ProductID>]) throws -> [RecordedTransaction] {
        try all("SELECT DISTINCT app, product FROM transactions WHERE terms IS NULL", [])
            .filter { products[try $0["app"]]?.contains(try $0["product"]) ?? false }
            .flatMap { row in
                try all(
                    "\(Self.records)WHERE t.app = ? AND t.product = ? AND t.terms IS NULL AND t.forgottenAt IS NULL",
                    [try row["app"] as String, try row["product"] as String])
            }
            .map { try record($0) }
    }

    func transactions(of account: AccountID) throws -> [RecordedTransaction] {
        var records: [RecordedTransaction] = []
        try db.each(Self.allRecordsOfAccount, [account.text]) { records.append(try record($0)) }
        return records
    }

    private static let allRecordsOfAccount = SQLStatement { recordsOfAccount($0) }

    func transactions(of account: AccountID, product: ProductID, in scope: Scope) throws -> [RecordedTransaction] {
        try all(Self.recordsOfProduct, [account.text, product, scope.app, scope.environment.rawValue])
            .map { try record($0) }
    }

    private static let recordsOfProduct = SQLStatement { dialect in
        recordsOfAccount(dialect, where: "AND x.product = ?2 AND x.app = ?3 AND x.environment = ?4")
    }

    func transactions(of original: OriginalTransaction.Key, since date: Date) throws -> [RecordedTransaction] {
        try all(Self.recordsOfOriginal, original.arguments + [date.milliseconds]).map { try record($0) }
    }

    private static let recordsOfOriginal = SQLStatement { dialect in
        columns + "FROM transactions t \(dialect.using(index: "transactionsLine")) " + lineAndTerms + """
            WHERE t.app = ? AND t.environment = ? AND t.originalID = ? AND t.purchasedAt >= ? AND t.forgottenAt IS NULL
            """
    }

    func transactions(
        of original: OriginalTransaction.Key, before date: Date, limit: Int
    ) throws -> [RecordedTransaction] {
        try all(Self.recordsBefore, original.arguments + [date.milliseconds, limit]).map { try record($0) }
    }

    private static let recordsBefore = SQLStatement { dialect in
        columns + """
            FROM (
                SELECT app, environment, id FROM transactions x \(dialect.using(index: "transactionsLine"))
                WHERE app = ? AND environment = ? AND originalID = ? AND purchasedAt < ? AND forgottenAt IS NULL
                    AND expiresAt IS NOT NULL AND (purchase IS NULL OR purchase <> '\(RecordedTransaction.seatsSign)')
                ORDER BY purchasedAt DESC LIMIT ?
            ) found \(dialect.orderedJoin) transactions t USING (app, environment, id)

            """ + lineAndTerms
    }

    func newestTransactions(ofOriginals keys: Set<OriginalTransaction.Key>) throws -> [RecordedTransaction] {
        try all(of: keys, Self.newestOfOriginals).map { try record($0) }
    }

    private static let newestOfOriginals = KeyedSelection<OriginalTransaction.Key> { dialect in
        columns + """
            FROM (
                SELECT app, environment, id, row_number() OVER (
                    PARTITION BY app, environment, originalID, product ORDER BY purchasedAt DESC, id DESC) AS place
                FROM keys \(dialect.orderedJoin) transactions x \(dialect.using(index: "transactionsLine"))
                    USING (app, environment, originalID)
                WHERE terms IS NOT NULL AND forgottenAt IS NULL
            ) found \(dialect.orderedJoin) transactions t USING (app, environment, id)

            """ + lineAndTerms + "WHERE place = 1"
    }

    func write(_ record: RecordedTransaction) throws {
        let transaction = record.transaction
        try writeOrder(of: transaction)
        try writeOfferPeriod(transaction)
        if record.creditedTo != record.owner { try writeChangedOwner(of: transaction.originalTransactionKey) }
        try send(
            Self.writeTransaction,
            values: [
                .text(transaction.app.text), .text(transaction.environment.rawValue), .text(transaction.id.text),
                .text(transaction.originalID.text), .text(transaction.productID.text),
                .text(facts.encodeRest(of: transaction)), try self.record(terms: record.terms)?.sqlValue ?? .null,
                .text(record.creditedTo.text), .maybe(transaction.expirationDate?.milliseconds),
                .integer(transaction.purchaseDate.milliseconds), .maybe(record.reportedRefund?.milliseconds),
                .maybe(record.storedPurchase), .maybe(transaction.details?.webOrderLineItemID),
                .maybe(record.creditsFrom?.milliseconds),
            ])
    }

    /// Has the owner's purchases found by the original transaction, since one of them credits another account.
    private func writeChangedOwner(of original: OriginalTransaction.Key) throws {
        try send(
            """
            UPDATE lines SET changedOwner = 1
            WHERE app = ? AND environment = ? AND originalID = ? AND changedOwner = 0
            """, original.arguments)
    }

    private static let writeTransaction = SQLStatement(
        constant: """
            INSERT INTO transactions
                (app, environment, id, originalID, product, facts, terms, creditedTo, expiresAt, purchasedAt, revokedAt,
                purchase, lineItem, creditsFrom)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, environment, id) DO UPDATE SET
                originalID = excluded.originalID, product = excluded.product, facts = excluded.facts,
                expiresAt = excluded.expiresAt, purchasedAt = excluded.purchasedAt, revokedAt = excluded.revokedAt,
                purchase = excluded.purchase, lineItem = excluded.lineItem, creditsFrom = excluded.creditsFrom,
                purchaseFacts = NULL,
                terms = CASE WHEN transactions.forgottenAt IS NULL THEN coalesce(transactions.terms, excluded.terms)
                    ELSE excluded.terms END,
                creditedTo = CASE WHEN transactions.forgottenAt IS NULL THEN transactions.creditedTo
                    ELSE excluded.creditedTo END,
                isDoubled = CASE WHEN transactions.forgottenAt IS NULL THEN transactions.isDoubled ELSE 0 END,
                forgottenAt = NULL
            """)

    /// Stores the terms, once for all purchases under them, and returns their hash.
    func record(terms product: Product?) throws -> Data? {
        guard let encoded = try product.map(terms.encode) else { return nil }
        guard !terms.areStored(encoded.hash), pending.storedTerms.insert(encoded.hash).inserted else {
            return encoded.hash
        }
        try send(Self.writeTerms, [encoded.hash, encoded.json])
        return encoded.hash
    }

    private static let writeTerms = SQLStatement(
        constant: "INSERT INTO terms (hash, product) VALUES (?, ?) ON CONFLICT DO NOTHING")

    /// The terms in a row with the columns `terms` and `termsProduct`.
    func product(of row: SQLRow) throws -> Product? {
        let hash: Data? = try row["terms"]
        let json: String? = try row["termsProduct"]
        return hash.flatMap { hash in json.flatMap { terms.decode(hash: hash, json: $0) } }
    }

    /// The transaction in a row with the columns of ``transaction(of:originalID:)`` and ``product(of:)``, `owner`,
    /// `creditedTo` and `creditsFrom`.
    func record(
        _ row: SQLRow, owner: String = "owner", originalID: String = "originalID"
    ) throws -> RecordedTransaction {
        let transaction = try transaction(of: row, originalID: originalID)
        return try RecordedTransaction(
            transaction: transaction, purchase: purchase(of: row, transaction), terms: product(of: row),
            owner: row.account(owner), creditedTo: row.account("creditedTo"), creditsFrom: row.dateIfAny("creditsFrom"))
    }

    /// The transaction in a row with the columns of ``SQLRow/transactionColumns(originalID:)`` and `facts`.
    func transaction(of row: SQLRow, originalID: String = "originalID") throws -> Transaction {
        try facts.decode(row["facts"], row.transactionColumns(originalID: originalID))
    }

    func renewals(_ keys: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key: RenewalFacts] {
        try all(of: keys, Self.renewals).reduce(into: [:]) { facts, row in
            facts[try row.originalTransactionKey()] = try JSON.decode(RenewalFacts.self, from: row["facts"])
        }
    }

    private static let renewals = KeyedSelection<OriginalTransaction.Key> { dialect in
        """
        SELECT app, environment, originalID, facts
        FROM keys \(dialect.orderedJoin) renewals USING (app, environment, originalID)
        """
    }

    func write(_ facts: RenewalFacts, of original: OriginalTransaction.Key) throws {
        try send(
            """
            INSERT INTO renewals (app, environment, originalID, facts) VALUES (?, ?, ?, ?)
            ON CONFLICT (app, environment, originalID) DO UPDATE SET facts = excluded.facts
            """, original.arguments + [try JSON.encode(facts)])
    }

    /// Writes the order of a transaction, if a copy states one, so that the transaction can be found by it.
    func writeOrder(of transaction: Transaction) throws {
        guard let orderID = transaction.details?.orderID else { return }
        try send(
            """
            INSERT INTO orderTransactions (orderID, app, environment, id) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING
            """, [orderID, transaction.app, transaction.environment.rawValue, transaction.id])
    }

    func recorded(_ copies: [Transaction]) throws -> RecordedCopies {
        let keys = Set(copies.map(CopyKey.init))
        let known = pending.copies.flatMap { $0.keys == keys ? $0.rows : nil }
        let rows = try known ?? all(of: keys, Self.copies)
        // From now on the rows may be written to.
        pending.copies = nil
        var found = RecordedCopies()
        var originals: [OriginalTransaction.Key: OriginalTransactionRow] = [:]
        for row in rows {
            let key = try row.originalTransactionKey()
            if try row["facts"] as String? != nil {
                found.records.append(try record(row, owner: "recordOwner", originalID: "recordedOriginalID"))
            }
            if try row["owner"] as String? != nil { originals[key] = try OriginalTransactionRow(row, key) }
            if try row["isAwaited"] { found.awaited.insert(key) }
            if let name: TransactionID = try row["joinedTo"] { found.joined[key] = name }
        }
        found.originals = try withTransfers(Array(originals.values))
        return found
    }

    static let copies = KeyedSelection<CopyKey> {
        "SELECT \(copyColumns($0)) FROM keys \(copyTables) WHERE keys.app IS NOT NULL"
    }

    /// The columns of ``copyTables``.
    static func copyColumns(_ dialect: SQLDialect) -> String {
        """
        keys.app, keys.environment, keys.originalID,
            t.id, t.originalID AS recordedOriginalID, t.product, t.purchasedAt, t.expiresAt,
            t.facts, t.terms, t.purchase, t.creditedTo, t.creditsFrom, o.owner AS recordOwner, m.product AS termsProduct,
            l.owner, l.basis, l.ownerEvidenceAt, l.owners, l.moveCount - l.forgottenMoves AS moved,
            l.owner IS NULL AND EXISTS (
                SELECT 1 FROM unclaimedTransactions u \(dialect.using(index: "unclaimedLine"))
                WHERE u.app = keys.app AND u.environment = keys.environment AND u.originalID = keys.originalID
            ) AS isAwaited,
            CASE WHEN l.owner IS NULL THEN (
                SELECT j.name FROM joinedLines j
                WHERE j.app = keys.app AND j.environment = keys.environment AND j.originalID = keys.originalID
            ) END AS joinedTo
        """
    }

    /// The joins behind a table `keys` with the columns of ``CopyKey``.
    static let copyTables = """
        LEFT JOIN transactions t
            ON t.app = keys.app AND t.environment = keys.environment AND t.id = keys.id AND t.forgottenAt IS NULL
        LEFT JOIN lines o ON o.app = t.app AND o.environment = t.environment AND o.originalID = t.originalID
        LEFT JOIN terms m ON m.hash = t.terms
        LEFT JOIN lines l ON l.app = keys.app AND l.environment = keys.environment AND l.originalID = keys.originalID
            AND l.forgottenAt IS NULL
        """
}

/// The copies of purchases. The column `purchase` has the name of a copy's purchase where it is not the usual one; it
/// is empty for what only shows an original transaction, and a sign for what only added seats to a period.
extension LedgerRows {
    /// Whether a row is a copy of a purchase. The others have no name in common.
    private static func isPurchase(_ table: String) -> String {
        "(\(table).purchase IS NULL OR \(table).purchase NOT IN ('', '\(RecordedTransaction.seatsSign)'))"
    }

    func copies(of transactions: [Transaction], isPeriod: (Transaction) -> Bool) throws -> [RecordedTransaction] {
        try all(of: Set(transactions.map { SoughtPurchase($0, isPeriod: isPeriod($0)) }), Self.soughtCopies)
            .map { try record($0) }
    }

    /// Rows that an earlier version counted as purchases of their own are not looked for.
    private static let soughtCopies = KeyedSelection<SoughtPurchase> { dialect in
        """
        , purchases AS (
            SELECT x.app, x.environment, coalesce(x.purchase, x.id) AS name
            FROM keys \(dialect.orderedJoin) transactions x \(dialect.using(index: "transactionsLineItem"))
                ON x.app = keys.app AND x.environment = keys.environment AND x.lineItem = keys.lineItem
            WHERE x.isDoubled = 0 AND \(isPurchase("x"))
            UNION
            SELECT x.app, x.environment, coalesce(x.purchase, x.id)
            FROM keys \(dialect.orderedJoin) transactions x \(dialect.using(index: "transactionsLine"))
                ON x.app = keys.app AND x.environment = keys.environment AND x.originalID = keys.originalID
                AND x.purchasedAt >= keys.beganAt AND x.purchasedAt < keys.beganAt + 1000
            WHERE x.isDoubled = 0 AND \(isPurchase("x"))
        )
        """ + columns + """
            FROM (
                \(rowsOfPurchases(dialect))
                UNION
                SELECT x.app, x.environment, x.id
                FROM keys \(dialect.orderedJoin) transactions x \(dialect.using(index: "transactionsLine"))
                    ON x.app = keys.app AND x.environment = keys.environment AND x.originalID = keys.originalID
                WHERE keys.beganAt IS NULL AND x.expiresAt IS NULL
            ) found \(dialect.orderedJoin) transactions t USING (app, environment, id)

            """ + lineAndTerms + "WHERE t.forgottenAt IS NULL"
    }

    /// Selects the keys of the transactions of `purchases`: the one that gave the name, and those that have it.
    private static func rowsOfPurchases(_ dialect: SQLDialect) -> String {
        """
        SELECT app, environment, name AS id FROM purchases
            UNION
            SELECT x.app, x.environment, x.id
            FROM purchases \(dialect.orderedJoin) transactions x \(dialect.using(index: "transactionsCopies"))
                ON x.app = purchases.app AND x.environment = purchases.environment AND x.purchase = purchases.name
        """
    }

    func transactions(ofPurchases keys: Set<Transaction.Key>) throws -> [RecordedTransaction] {
        try all(of: keys, Self.recordsOfPurchases).map { try record($0) }
    }

    private static let recordsOfPurchases = KeyedSelection<Transaction.Key> { dialect in
        """
        , purchases AS (SELECT app, environment, id AS name FROM keys)
        """ + columns + """
            FROM (
                \(rowsOfPurchases(dialect))
                UNION
                SELECT x.app, x.environment, x.id
                FROM purchases \(dialect.orderedJoin) transactions x \(dialect.using(index: "transactionsLine"))
                    ON x.app = purchases.app AND x.environment = purchases.environment
                    AND x.originalID = purchases.name
                WHERE x.expiresAt IS NULL AND x.purchase IS NULL
            ) found \(dialect.orderedJoin) transactions t USING (app, environment, id)

            """ + lineAndTerms + "WHERE t.forgottenAt IS NULL"
    }

    func write(purchase: Transaction) throws {
        let key = purchase.key
        try send(
            Self.writePurchase,
            values: [
                .text(facts.encode(purchase)), .maybe(purchase.revocation?.date.milliseconds), .text(key.app.text),
                .text(key.environment.rawValue), .text(key.id.text),
            ])
    }

    private static let writePurchase = SQLStatement(
        constant:
            "UPDATE transactions SET purchaseFacts = ?, revokedAt = ? WHERE app = ? AND environment = ? AND id = ?")

    func join(_ purchase: Transaction.Key, to name: TransactionID) throws {
        for condition in ["id = ? AND purchase IS NULL", "purchase = ?"] {
            try send(
                """
                UPDATE transactions SET purchase = ?, purchaseFacts = NULL, revokedAt = NULL
                WHERE app = ? AND environment = ? AND \(condition)
                """, [name] + purchase.arguments)
        }
    }

    /// The purchase of a row with the columns of ``record(_:owner:originalID:)``.
    func purchase(of row: SQLRow, _ transaction: Transaction) throws -> TransactionID? {
        guard let stored: String = try row["purchase"] else { return transaction.purchaseID }
        return stored.isEmpty || stored == RecordedTransaction.seatsSign ? nil : TransactionID(stored: stored)
    }
}

extension RecordedTransaction {
    /// The value of the column `purchase` of what only added seats: no ID has it.
    static let seatsSign = "+"

    /// The date of the refund by which reports count it: that of a copy counts with the purchase.
    var reportedRefund: Date? { storedPurchase == nil || addsSeats ? transaction.revocation?.date : nil }

    /// The value of the column `purchase`.
    var storedPurchase: String? {
        guard let purchase else { return addsSeats ? Self.seatsSign : "" }
        return purchase == transaction.purchaseID ? nil : purchase.text
    }
}

/// A purchase by what copies of it have in common.
private struct SoughtPurchase: RowKey {
    static var columns: String { "app, environment, originalID, lineItem, beganAt" }

    static func placeholders(in dialect: SQLDialect) -> String { "?, ?, ?, ?, CAST(? AS BIGINT)" }

    let original: OriginalTransaction.Key
    let lineItem: String?
    /// When the period began, in milliseconds; `nil` if it is no period.
    let beganAt: Int?

    init(_ transaction: Transaction, isPeriod: Bool) {
        original = transaction.originalTransactionKey
        lineItem = isPeriod ? transaction.details?.webOrderLineItemID : nil
        beganAt = isPeriod ? transaction.purchaseDate.milliseconds / 1_000 * 1_000 : nil
    }

    var arguments: SQLArguments { original.arguments + [lineItem, beganAt] }
}

/// The original transactions that are another one, since one period is of both.
extension LedgerRows {
    func joinedOriginals(among keys: Set<OriginalTransaction.Key>) throws -> [OriginalTransaction.Key: TransactionID] {
        try all(of: keys, Self.joinedOriginals).reduce(into: [:]) { names, row in
            names[try row.originalTransactionKey()] = try row["name"]
        }
    }

    private static let joinedOriginals = KeyedSelection<OriginalTransaction.Key> { dialect in
        """
        SELECT app, environment, originalID, name
        FROM keys \(dialect.orderedJoin) joinedLines USING (app, environment, originalID)
        """
    }

    func join(_ original: OriginalTransaction.Key, to name: TransactionID, at date: Date) throws {
        let named = original.named(name)
        let line = "app = ? AND environment = ? AND originalID = ?"
        try send(
            "UPDATE joinedLines SET name = ? WHERE app = ? AND environment = ? AND name = ?",
            [name] + original.arguments)
        try send(
            """
            INSERT INTO joinedLines (app, environment, originalID, name) VALUES (?, ?, ?, ?)
            ON CONFLICT (app, environment, originalID) DO UPDATE SET name = excluded.name
            """, original.arguments + [name])
        try send(
            "UPDATE transactions \(db.dialect.using(index: "transactionsLine")) SET originalID = ? WHERE \(line)",
            [name] + original.arguments)
        // Those that credit the other one's owner are found by the original transaction.
        try send("UPDATE lines SET changedOwner = 1 WHERE \(line)", named.arguments)
        try send(
            "UPDATE lines SET forgottenAt = ?, forgottenMoves = moveCount, changedOwner = 0 WHERE \(line)",
            [date.milliseconds] + original.arguments)
    }
}
