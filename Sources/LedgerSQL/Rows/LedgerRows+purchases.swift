import Foundation
import InAppPurchase
import Ledger

/// The copies of purchases. The column `purchase` has the name of a copy's purchase where it is not the usual one, and
/// is empty for what only shows an original transaction.
extension LedgerRows {
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
            WHERE x.isDoubled = 0
            UNION
            SELECT x.app, x.environment, coalesce(x.purchase, x.id)
            FROM keys \(dialect.orderedJoin) transactions x \(dialect.using(index: "transactionsLine"))
                ON x.app = keys.app AND x.environment = keys.environment AND x.originalID = keys.originalID
                AND x.purchasedAt >= keys.beganAt AND x.purchasedAt < keys.beganAt + 1000
            WHERE x.isDoubled = 0
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
        return stored.isEmpty ? nil : TransactionID(stored: stored)
    }
}

extension RecordedTransaction {
    /// The date of the refund by which reports count it: that of a copy counts with the purchase.
    var reportedRefund: Date? { storedPurchase == nil ? transaction.revocation?.date : nil }

    /// The value of the column `purchase`.
    var storedPurchase: String? {
        guard let purchase else { return "" }
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
