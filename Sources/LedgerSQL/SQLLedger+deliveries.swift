package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func manifestFacts(
        _ question: ManifestQuestion, in context: RecordingContext
    ) async throws -> ManifestFacts? {
        try await read { try $0.manifestFacts(question, in: context) }
    }

    package func issueManifest(
        _ manifest: IssuedManifest, to account: AccountID, id: String, at date: Date
    ) async throws -> String {
        try await write { rows in
            let recent = try rows.recentDeliveries(of: manifest.bundle, to: account, at: date)
            guard let known = recent.first(where: { $0.isOf(manifest) }) else {
                return try rows.issueManifest(manifest, to: account, id: id, at: date)
            }
            if !known.contains(manifest) {
                try rows.send(
                    "UPDATE manifestDeliveries SET linkLifetime = ? WHERE id = ?", [manifest.linkLifetime, known.id])
            }
            return known.id
        }
    }

    package func confirmDelivery(
        _ id: String, sha256: String, by account: AccountID, at date: Date
    ) async throws -> DeliveryConfirmation? {
        try await write { rows in
            guard let known = try rows.delivery(id), known.delivery.account == account else { return nil }
            guard known.delivery.manifest.sha256 == sha256 else {
                try rows.recordMismatch(of: known, sha256: sha256, at: date)
                return .mismatch
            }
            if let earlier = known.delivery.confirmedAt { return .confirmed(earlier) }
            try rows.send("UPDATE manifestDeliveries SET confirmedAt = ? WHERE id = ?", [date.milliseconds, id])
            try rows.append(.deliveryConfirmed, known.delivery, sha256: sha256, at: date)
            return .confirmed(date.wholeMilliseconds)
        }
    }
}

extension LedgerRows {
    typealias KnownDelivery = (delivery: ManifestDelivery, mismatches: Int)

    func manifestFacts(_ question: ManifestQuestion, in context: RecordingContext) throws -> ManifestFacts? {
        guard let session = try one(Self.playerSession, [question.token]) else { return nil }
        let account = try session.admittedAccount("account")
        let entitlements = try ReceiptRecorder(self, context).entitlements(of: account)
        return try ManifestFacts(
            account: account, isBeta: session.dateIfAny("betaSince") != nil, entitlements: entitlements,
            recent: recentDeliveries(of: question.bundle, to: account, at: context.date),
            hasRefund: question.asksForRefunds
                && context.catalog.apps(opening: question.bundle, by: entitlements).contains {
                    try hasRefund(account, in: $0)
                })
    }

    private static let playerSession = SQLStatement(
        constant: """
            SELECT account, blockedAt, betaSince FROM sessions JOIN accounts ON id = account
            WHERE token = ? AND closedAt IS NULL
            """)

    private static let recentDeliveries = SQLStatement(
        constant:
            "SELECT id, version, sha256, linkLifetime FROM manifestDeliveries WHERE account = ? AND bundle = ? AND lastAt > ?"
    )

    fileprivate func recentDeliveries(
        of bundle: BundleName, to account: AccountID, at date: Date
    ) throws -> [RecentDelivery] {
        let earliest = date.addingTimeInterval(-ManifestDelivery.quietTime)
        return try all(Self.recentDeliveries, [account.text, bundle, earliest.milliseconds]).map { row in
            try RecentDelivery(
                id: row["id"], version: row["version"], sha256: row["sha256"], linkLifetime: row["linkLifetime"])
        }
    }

    /// Whether the account owns a purchase of the app that was refunded and whose refund was not reversed.
    func hasRefund(_ account: AccountID, in app: BundleID) throws -> Bool {
        try all(Self.revokedInApp, [account.text, app]).contains { row in
            let transaction = try transaction(of: row)
            // The end of Family Sharing is no refund, nor is an upgrade.
            return transaction.ownershipType != .familyShared && !transaction.isUpgraded
        }
    }

    private static let revokedInApp = SQLStatement { dialect in
        """
        SELECT t.app, t.environment, t.id, t.originalID, t.product, t.purchasedAt, t.expiresAt, t.facts
        FROM \(owned(dialect)) \(dialect.orderedJoin) transactions t
            \(dialect.using(index: "transactionsLine"))
            ON t.app = owned.app AND t.environment = owned.environment AND t.originalID = owned.originalID
        WHERE owned.app = ?2 AND t.revokedAt IS NOT NULL
        """
    }

    private static let writeUnfetched = SQLStatement(
        constant: """
            INSERT INTO unfetchedBundles (account, bundle, app, id, deliveredAt)
            SELECT a.id, CAST(?2 AS TEXT), CAST(?3 AS TEXT), CAST(?4 AS TEXT), CAST(?5 AS BIGINT)
            FROM accounts a WHERE a.id = ?1 AND NOT EXISTS (
                SELECT 1 FROM manifestDeliveries f WHERE f.account = a.id AND f.bundle = ?2)
            ON CONFLICT (account, bundle) DO NOTHING
            """)

    private static let writePayment = SQLStatement(
        constant: """
            UPDATE manifestDeliveries SET app = ?, paidBy = ?
            WHERE account = ? AND bundle = ? AND (paidBy IS NULL OR confirmedAt IS NULL)
            """)

    /// Records that a purchase gives access to a bundle, whether or not it was issued before.
    func write(_ purchase: UnfetchedPurchase) throws {
        let (account, bundle, paid) = (purchase.account.text, purchase.bundle, purchase.transaction)
        try send(Self.writeUnfetched, [account, bundle, paid.app, paid.id, purchase.date.milliseconds])
        try send(Self.writePayment, [paid.app, paid.id, account, bundle])
    }

    /// Selects what pays for a bundle: it waits for its first manifest, or stands with one that was issued before.
    private static let payment = SQLStatement(
        constant: """
            SELECT app, id FROM unfetchedBundles WHERE account = ?1 AND bundle = ?2
            UNION ALL
            SELECT app, paidBy FROM manifestDeliveries WHERE account = ?1 AND bundle = ?2 AND paidBy IS NOT NULL
            LIMIT 1
            """)

    private static let fetch = SQLStatement(constant: "DELETE FROM unfetchedBundles WHERE account = ? AND bundle = ?")

    fileprivate func issueManifest(
        _ manifest: IssuedManifest, to account: AccountID, id: String, at date: Date
    ) throws -> String {
        let paid = try one(Self.payment, [account.text, manifest.bundle])
        let (app, transaction): (String?, String?) = try (paid?["app"], paid?["id"])
        let row = try one(
            """
            INSERT INTO manifestDeliveries
                (id, account, bundle, version, sha256, firstAt, lastAt, count, linkLifetime, app, paidBy)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, 1, ?7, ?8, ?9)
            ON CONFLICT (account, bundle, version) DO UPDATE SET
                lastAt = excluded.lastAt, count = manifestDeliveries.count + 1, sha256 = excluded.sha256,
                linkLifetime = excluded.linkLifetime, confirmedAt = CASE WHEN manifestDeliveries.sha256 = excluded.sha256
                    THEN manifestDeliveries.confirmedAt END
            RETURNING *
            """,
            [
                id, account.text, manifest.bundle, manifest.version, manifest.sha256, date.milliseconds,
                manifest.linkLifetime, app, transaction,
            ])
        let delivery = try row.map(ManifestDelivery.init)
        if let delivery, delivery.count == 1 {
            try send(Self.fetch, [account.text, manifest.bundle])
            try append(.manifestIssued, delivery, sha256: manifest.sha256, at: date)
        }
        return delivery?.id ?? id
    }

    fileprivate func delivery(_ id: String) throws -> KnownDelivery? {
        try one("SELECT * FROM manifestDeliveries WHERE id = ?", [id]).map {
            try (ManifestDelivery($0), $0["mismatches"])
        }
    }

    fileprivate func recordMismatch(of known: KnownDelivery, sha256: String, at date: Date) throws {
        guard known.mismatches < ManifestDelivery.maximumMismatches else { return }
        try send("UPDATE manifestDeliveries SET mismatches = mismatches + 1 WHERE id = ?", [known.delivery.id])
        try append(.deliveryMismatch, known.delivery, sha256: sha256, at: date)
    }

    fileprivate func append(
        _ kind: AuditEntry.Kind, _ delivery: ManifestDelivery, sha256: String, at date: Date
    ) throws {
        try append(
            AuditEntry(
                kind, account: delivery.account, subject: delivery.id,
                content: [
                    "bundle": .string(delivery.manifest.bundle.text), "version": .string(delivery.manifest.version),
                    "sha256": .string(sha256),
                ], at: date))
    }
}

extension Catalog {
    /// The apps that give an account access to the bundle: by its purchases, or to every account.
    fileprivate func apps(opening bundle: BundleName, by entitlements: [ProductEntitlement]) -> Set<BundleID> {
        Set(entitlements.filter { $0.bundles.contains(bundle) }.map(\.scope.app))
            .union(apps.filter { $0.openBundles.contains(bundle) }.map(\.bundleID))
    }
}

extension ManifestDelivery {
    init(_ row: SQLRow) throws {
        let (app, id): (BundleID?, TransactionID?) = try (row["app"], row["paidBy"])
        let paidBy = app.flatMap { app in id.map { Transaction.Key(app: app, environment: .production, id: $0) } }
        try self.init(
            id: row["id"], account: row.account("account"),
            manifest: IssuedManifest(
                bundle: row["bundle"], version: row["version"], sha256: row["sha256"], linkLifetime: row["linkLifetime"]
            ), firstDate: row.date("firstAt"), lastDate: row.date("lastAt"), count: row["count"],
            confirmedAt: row.dateIfAny("confirmedAt"), paidBy: paidBy)
    }
}

extension UnfetchedPurchase {
    init(_ row: SQLRow) throws {
        try self.init(
            account: row.account("account"), bundle: row["bundle"], product: row["product"],
            transaction: row.transactionKey(), date: row.date("deliveredAt"))
    }
}

// Each filter has an index of its own that begins with it and continues with the date: however long the list is, a page
// reads what it shows.
extension SQLLedger {
    package func manifestDeliveries(
        unconfirmed: Bool, _ filter: DeliveryFilter, after position: DeliveryPosition?, limit: Int
    ) async throws -> [ManifestDelivery] {
        try await read { rows in
            let dialect = rows.db.dialect
            var arguments: [(any SQLConvertible)?] = [filter.until.milliseconds]
            let condition = filter.condition("d", &arguments)
            var next = ""
            if let position {
                next = "AND (d.firstAt, d.id) > (?, ?)"
                arguments += [position.date.milliseconds, position.id]
            }
            let index = dialect.using(index: filter.deliveryIndex(unconfirmed: unconfirmed))
            return try rows.all(
                """
                SELECT d.* FROM manifestDeliveries d \(index) \(unconfirmed ? Self.payment(dialect) : "")
                WHERE d.firstAt <= ? \(condition) \(next) \(unconfirmed ? Self.isOpen(dialect) : "")
                ORDER BY d.firstAt, d.id LIMIT ?
                """, arguments + [limit]
            ).map(ManifestDelivery.init)
        }
    }

    /// Joins what pays for a delivery; see ``LedgerRows/write(_:)-(UnfetchedPurchase)``.
    private static func payment(_ dialect: SQLDialect) -> String {
        """
        \(dialect.orderedJoin) transactions t
            ON t.app = d.app AND t.environment = 'Production' AND t.id = d.paidBy
        \(dialect.orderedJoin) lines l
            ON l.app = t.app AND l.environment = t.environment AND l.originalID = t.originalID
        """
    }

    private static func isOpen(_ dialect: SQLDialect) -> String {
        """
        AND d.confirmedAt IS NULL AND d.paidBy IS NOT NULL AND \(stands("d", dialect)) AND NOT EXISTS (
            SELECT 1 FROM manifestDeliveries c
            WHERE c.account = d.account AND c.bundle = d.bundle AND c.confirmedAt >= d.firstAt)
        """
    }

    /// Whether the account still has what it paid for.
    private static func stands(_ list: String, _ dialect: SQLDialect) -> String {
        """
        l.owner = \(list).account AND t.forgottenAt IS NULL AND t.revokedAt IS NULL
        """
    }

    package func purchasesNeverFetched(
        _ filter: DeliveryFilter, after position: UnfetchedPosition?, limit: Int
    ) async throws -> [UnfetchedPurchase] {
        try await read { rows in
            let dialect = rows.db.dialect
            var arguments: [(any SQLConvertible)?] = [filter.until.milliseconds]
            let condition = filter.condition("u", &arguments)
            var next = ""
            if let position {
                next = "AND (u.deliveredAt, u.account, u.bundle) > (?, ?, ?)"
                arguments += [position.date.milliseconds, position.account.text, position.bundle]
            }
            return try rows.all(
                """
                SELECT u.account, u.bundle, t.product, t.app, t.environment, t.id, u.deliveredAt
                FROM unfetchedBundles u \(filter.unfetchedIndex.map(dialect.using) ?? "")
                \(dialect.orderedJoin) transactions t
                    ON t.app = u.app AND t.environment = 'Production' AND t.id = u.id
                \(dialect.orderedJoin) lines l
                    ON l.app = t.app AND l.environment = t.environment AND l.originalID = t.originalID
                WHERE u.deliveredAt <= ? \(condition) \(next) AND \(Self.stands("u", dialect))
                ORDER BY u.deliveredAt, u.account, u.bundle LIMIT ?
                """, arguments + [limit]
            ).map(UnfetchedPurchase.init)
        }
    }
}

extension DeliveryFilter {
    /// The conditions besides the date, and their arguments.
    fileprivate func condition(_ table: String, _ arguments: inout [(any SQLConvertible)?]) -> String {
        var conditions = ""
        for (column, value) in [("account", account?.text), ("bundle", bundle?.text), ("app", app?.text)] {
            guard let value else { continue }
            conditions += " AND \(table).\(column) = ?"
            arguments.append(value)
        }
        return conditions
    }

    /// The index that has the rows of the list next to each other; an account has few deliveries.
    fileprivate func deliveryIndex(unconfirmed: Bool) -> String {
        if account != nil { return "manifestDeliveriesAccount" }
        guard unconfirmed else { return bundle == nil ? "manifestDeliveriesFirst" : "manifestDeliveriesBundle" }
        if bundle != nil { return "manifestDeliveriesPaidBundle" }
        return app == nil ? "manifestDeliveriesPaid" : "manifestDeliveriesPaidApp"
    }

    /// `nil` for the key, which begins with the account.
    fileprivate var unfetchedIndex: String? {
        if account != nil { return nil }
        if bundle != nil { return "unfetchedBundlesBundle" }
        return app == nil ? "unfetchedBundlesFirst" : "unfetchedBundlesApp"
    }
}
