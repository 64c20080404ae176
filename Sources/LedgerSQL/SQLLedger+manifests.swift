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

    package func manifestDeliveries(
        unconfirmed: Bool, until date: Date, limit: Int
    ) async throws -> [ManifestDelivery] {
        let open = """
            AND d.confirmedAt IS NULL AND NOT EXISTS (
                SELECT 1 FROM manifestDeliveries l
                WHERE l.account = d.account AND l.bundle = d.bundle AND l.confirmedAt >= d.firstAt)
            """
        return try await read { rows in
            try rows.all(
                """
                SELECT * FROM manifestDeliveries d WHERE d.firstAt <= ? \(unconfirmed ? open : "")
                ORDER BY d.firstAt, d.id LIMIT ?
                """, [date.milliseconds, limit]
            ).map(ManifestDelivery.init)
        }
    }

    package func purchasesNeverFetched(until date: Date, limit: Int) async throws -> [UnfetchedPurchase] {
        try await read { rows in
            try rows.all(
                """
                SELECT u.account, u.bundle, t.product, t.app, t.environment, t.id, u.deliveredAt
                FROM unfetchedBundles u \(rows.db.dialect.using(index: "unfetchedBundlesFirst"))
                \(rows.db.dialect.orderedJoin) transactions t
                    ON t.app = u.app AND t.environment = 'Production' AND t.id = u.id
                \(rows.db.dialect.orderedJoin) lines l
                    ON l.app = t.app AND l.environment = t.environment AND l.originalID = t.originalID
                WHERE u.deliveredAt <= ? AND l.owner = u.account AND t.forgottenAt IS NULL
                    AND \(rows.db.dialect.member("revocation", of: "t.facts")) IS NULL
                ORDER BY u.deliveredAt, u.account, u.bundle LIMIT ?
                """, [date.milliseconds, limit]
            ).map(UnfetchedPurchase.init)
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
        """
        SELECT account, blockedAt, betaSince FROM sessions JOIN accounts ON id = account
        WHERE token = ? AND closedAt IS NULL
        """)

    private static let recentDeliveries = SQLStatement(
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
            let transaction = try facts.decode(row["facts"])
            // The end of Family Sharing is no refund, nor is an upgrade.
            return transaction.ownershipType != .familyShared && !transaction.isUpgraded
        }
    }

    private static let revokedInApp = SQLStatement { dialect in
        """
        SELECT t.facts FROM \(owned(dialect)) \(dialect.orderedJoin) transactions t
            \(dialect.using(index: "transactionsLine"))
            ON t.app = owned.app AND t.environment = owned.environment AND t.originalID = owned.originalID
        WHERE owned.app = ?2 AND t.revokedAt IS NOT NULL
        """
    }

    private static let writeUnfetched = SQLStatement(
        """
        INSERT INTO unfetchedBundles (account, bundle, app, id, deliveredAt)
        SELECT a.id, CAST(?2 AS TEXT), CAST(?3 AS TEXT), CAST(?4 AS TEXT), CAST(?5 AS BIGINT)
        FROM accounts a WHERE a.id = ?1 AND NOT EXISTS (
            SELECT 1 FROM manifestDeliveries f WHERE f.account = a.id AND f.bundle = ?2)
        ON CONFLICT (account, bundle) DO NOTHING
        """)

    func write(_ purchase: UnfetchedPurchase) throws {
        try send(
            Self.writeUnfetched,
            [
                purchase.account.text, purchase.bundle, purchase.transaction.app, purchase.transaction.id,
                purchase.date.milliseconds,
            ])
    }

    private static let fetch = SQLStatement("DELETE FROM unfetchedBundles WHERE account = ? AND bundle = ?")

    fileprivate func issueManifest(
        _ manifest: IssuedManifest, to account: AccountID, id: String, at date: Date
    ) throws -> String {
        let row = try one(
            """
            INSERT INTO manifestDeliveries (id, account, bundle, version, sha256, firstAt, lastAt, count, linkLifetime)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, 1, ?7)
            ON CONFLICT (account, bundle, version) DO UPDATE SET
                lastAt = excluded.lastAt, count = manifestDeliveries.count + 1, sha256 = excluded.sha256,
                linkLifetime = excluded.linkLifetime, confirmedAt = CASE WHEN manifestDeliveries.sha256 = excluded.sha256
                    THEN manifestDeliveries.confirmedAt END
            RETURNING *
            """,
            [
                id, account.text, manifest.bundle, manifest.version, manifest.sha256, date.milliseconds,
                manifest.linkLifetime,
            ])
        let delivery = try row.map(ManifestDelivery.init)
        if let delivery, delivery.count == 1 {
            try send(Self.fetch, [account.text, manifest.bundle])
            try append(.deliveryHandedOut, delivery, sha256: manifest.sha256, at: date)
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
    fileprivate init(_ row: SQLRow) throws {
        try self.init(
            id: row["id"], account: row.account("account"),
            manifest: IssuedManifest(
                bundle: row["bundle"], version: row["version"], sha256: row["sha256"],
                linkLifetime: row["linkLifetime"]),
            firstDate: row.date("firstAt"), lastDate: row.date("lastAt"), count: row["count"],
            confirmedAt: row.dateIfAny("confirmedAt"))
    }
}

extension UnfetchedPurchase {
    fileprivate init(_ row: SQLRow) throws {
        try self.init(
            account: row.account("account"), bundle: row["bundle"], product: row["product"],
            transaction: row.transactionKey(), date: row.date("deliveredAt"))
    }
}
