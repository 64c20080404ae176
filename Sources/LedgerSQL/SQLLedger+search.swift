import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func purchases(named name: PurchaseName) async throws -> FoundPurchases? {
        try await read { rows in
            guard let keys = try rows.originalTransactionKeys(named: name) else { return nil }
            let originals = try rows.originalTransactionsWithAllTransfers(keys)
            let others = keys.filter { originals[$0] == nil }.sorted { $0.order < $1.order }
            return FoundPurchases(
                originals: originals.values.sorted { $0.key.order < $1.key.order },
                unclaimed: try others.compactMap { try rows.unclaimedPurchase($0) })
        }
    }

    package func newestTransaction(of original: OriginalTransaction.Key) async throws -> RecordedTransaction? {
        try await read { rows in
            try rows.newestTransactions(ofOriginals: [original]).max {
                $0.transaction.purchaseDate < $1.transaction.purchaseDate
            }
        }
    }
}

extension LedgerRows {
    /// The keys that the name may stand for; `nil` for an order that no transaction is recorded with.
    fileprivate func originalTransactionKeys(named name: PurchaseName) throws -> Set<OriginalTransaction.Key>? {
        switch name {
        case .order(let orderID): return try originalTransactions(ofOrder: orderID)
        case .originalTransaction(let id): return Set(try scopes(of: id).map { $0.original(id) })
        case .transaction(let id):
            var keys: Set<OriginalTransaction.Key> = []
            for scope in try scopes(of: id) {
                let key = Transaction.Key(app: scope.app, environment: scope.environment, id: id)
                keys.formUnion(try ([id] + originalIDs(of: key)).map(scope.original))
            }
            return keys
        }
    }

    /// The original transactions of an order's recorded transactions, of those without an owner too; `nil` if none is
    /// recorded.
    private func originalTransactions(ofOrder orderID: String) throws -> Set<OriginalTransaction.Key>? {
        let keys = try all("SELECT app, environment, id FROM orderTransactions WHERE orderID = ?", [orderID])
            .map { try $0.transactionKey() }
        guard !keys.isEmpty else { return nil }
        return try keys.reduce(into: []) { originals, key in
            let scope = Scope(app: key.app, environment: key.environment)
            originals.formUnion(try originalIDs(of: key).map(scope.original))
        }
    }

    /// The original ID of a transaction, by its record or as it waits for an owner.
    private func originalIDs(of key: Transaction.Key) throws -> [TransactionID] {
        try all(
            """
            SELECT originalID FROM transactions
            WHERE app = ?1 AND environment = ?2 AND id = ?3 AND forgottenAt IS NULL
            UNION SELECT originalID FROM unclaimedTransactions WHERE app = ?1 AND environment = ?2 AND id = ?3
            """, [key.app, key.environment.rawValue, key.id]
        ).map { try $0["originalID"] }
    }

    /// The apps and environments in which there may be a transaction, or an original transaction, of this ID: in SQLite
    /// all that anything is recorded of, since the keys there begin with the app, and otherwise with the ID.
    private func scopes(of id: TransactionID) throws -> [Scope] {
        guard db.dialect == .postgres else { return try scopes() }
        return try all(
            """
            SELECT app, environment FROM lines WHERE originalID = ?1
            UNION SELECT app, environment FROM transactions WHERE id = ?1
            UNION SELECT app, environment FROM unclaimedTransactions WHERE id = ?1
            UNION SELECT app, environment FROM unclaimedTransactions WHERE originalID = ?1
            """, [id]
        ).map { try $0.scope() }
    }

    /// The apps of everything recorded, in every environment.
    private func scopes() throws -> [Scope] {
        let apps = Set(try apps(in: "lines") + apps(in: "unclaimedTransactions"))
        return apps.flatMap { app in Environment.known.map { Scope(app: app, environment: $0) } }
    }

    /// The apps of a table, each found by one index step (a loose index scan).
    private func apps(in table: String) throws -> [BundleID] {
        var apps: [BundleID] = []
        while let app: BundleID = try one("SELECT min(app) AS app FROM \(table) WHERE app > ?", [apps.last ?? ""])?[
            "app"]
        {
            apps.append(app)
        }
        return apps
    }

    /// The transactions that wait for an owner of the original transaction; `nil` if there are none, or if it has, or
    /// had, an owner.
    fileprivate func unclaimedPurchase(_ key: OriginalTransaction.Key) throws -> UnclaimedPurchase? {
        let limit = UnclaimedPurchase.maximumTransactions
        let found = try all(
            """
            SELECT facts FROM unclaimedTransactions u \(db.dialect.using(index: "unclaimedLine"))
            WHERE app = ? AND environment = ? AND originalID = ? AND NOT EXISTS (
                SELECT 1 FROM lines l
                WHERE l.app = u.app AND l.environment = u.environment AND l.originalID = u.originalID)
            ORDER BY purchasedAt DESC, id DESC LIMIT \(limit + 1)
            """, key.arguments
        ).map { try facts.decode($0["facts"]) }
        guard !found.isEmpty else { return nil }
        let first = try one(
            """
            SELECT min(purchasedAt) AS since FROM unclaimedTransactions u \(db.dialect.using(index: "unclaimedLine"))
            WHERE app = ? AND environment = ? AND originalID = ?
            """, key.arguments)
        return try first.map {
            try UnclaimedPurchase(key: key, transactions: Newest(found, limit: limit), since: $0.date("since"))
        }
    }
}

extension OriginalTransaction.Key {
    /// The order by app, environment and ID.
    var order: (BundleID, String, TransactionID) { (app, environment.rawValue, originalID) }
}
