package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func issueManifest(
        _ manifest: IssuedManifest, to account: AccountID, id: String, at date: Date
    ) async throws -> String {
        let recent = try await read { try $0.recentDelivery(of: manifest, to: account, at: date) }
        if let recent, manifest.linkLifetime ?? 0 <= recent.linkLifetime ?? 0 { return recent.id }
        return try await write { rows in
            guard let recent else { return try rows.issueManifest(manifest, to: account, id: id, at: date) }
            try rows.send(
                "UPDATE manifestDeliveries SET linkLifetime = ? WHERE id = ?", [manifest.linkLifetime, recent.id])
            return recent.id
        }
    }

    package func hasRefund(_ account: AccountID, in app: BundleID) async throws -> Bool {
        try await read { rows in
            let revoked = try rows.all(
                """
                SELECT t.facts FROM lines l \(rows.db.dialect.orderedJoin) transactions t
                    ON t.app = l.app AND t.environment = l.environment AND t.originalID = l.originalID
                WHERE l.owner = ? AND l.app = ? AND t.revokedAt IS NOT NULL
                """, [account.text, app])
            return try revoked.contains { row in
                let transaction = try rows.facts.decode(row["facts"])
                // The end of Family Sharing is no refund, nor is an upgrade.
                return transaction.ownershipType != .familyShared && !transaction.isUpgraded
            }
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
            let dialect = rows.db.dialect
            return try rows.all(
                """
                SELECT account, bundle, product, app, environment, id, deliveredAt FROM (
                    SELECT d.account, b.value AS bundle, t.product, d.app, d.environment, d.id, d.deliveredAt,
                        row_number() OVER (PARTITION BY d.account, b.value ORDER BY d.deliveredAt, d.app, d.id) AS n
                    FROM deliveries d \(dialect.using(index: "deliveriesFirst"))
                    \(dialect.orderedJoin) transactions t
                        ON t.app = d.app AND t.environment = d.environment AND t.id = d.id
                    \(dialect.orderedJoin) lines l
                        ON l.app = t.app AND l.environment = t.environment AND l.originalID = t.originalID
                    \(dialect.orderedJoin) terms m ON m.hash = t.terms
                    CROSS JOIN \(dialect.elements(of: "m.product", member: "bundles")) b
                    WHERE d.deliveredAt <= ? AND d.environment = 'Production' AND l.owner = d.account
                        AND d.forgottenAt IS NULL AND t.forgottenAt IS NULL
                        AND \(dialect.member("revocation", of: "t.facts")) IS NULL
                        AND NOT EXISTS (
                            SELECT 1 FROM manifestDeliveries f WHERE f.account = d.account AND f.bundle = b.value)
                ) earliest WHERE n = 1 ORDER BY deliveredAt, account, bundle LIMIT ?
                """, [date.milliseconds, limit]
            ).map(UnfetchedPurchase.init)
        }
    }
}

extension LedgerRows {
    typealias KnownDelivery = (delivery: ManifestDelivery, mismatches: Int)

    fileprivate func recentDelivery(
        of manifest: IssuedManifest, to account: AccountID, at date: Date
    ) throws -> (id: String, linkLifetime: Int?)? {
        try one(
            """
            SELECT id, linkLifetime FROM manifestDeliveries
            WHERE account = ? AND bundle = ? AND version = ? AND sha256 = ? AND lastAt > ?
            """,
            [
                account.text, manifest.bundle, manifest.version, manifest.sha256,
                date.addingTimeInterval(-ManifestDelivery.quietTime).milliseconds,
            ]
        ).map { try ($0["id"], $0["linkLifetime"]) }
    }

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
