import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    func notification(_ id: String) throws -> NotificationRow? {
        try one("SELECT * FROM notifications WHERE id = ?", [id]).map(NotificationRow.init)
    }

    /// Records the notification; returns whether it is new.
    func record(_ notification: AppStoreNotification, retryAt retry: Date?, at date: Date) throws -> Bool {
        let deliveredAt = notification.isDelivered ? date.milliseconds : nil
        if let known = try one("SELECT deliveredAt FROM notifications WHERE id = ?", [notification.id]) {
            if try known.dateIfAny("deliveredAt") == nil, let deliveredAt {
                try send("UPDATE notifications SET deliveredAt = ? WHERE id = ?", [deliveredAt, notification.id])
            }
            return false
        }
        try send(
            """
            INSERT INTO notifications
                (id, type, subtype, app, environment, signedAt, recordedAt, deliveredAt, retryAt, content)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            [
                notification.id, notification.type, notification.subtype, notification.app,
                notification.environment?.rawValue, notification.signedDate.milliseconds, date.milliseconds,
                deliveredAt, retry?.milliseconds, notification.content,
            ])
        return true
    }

    /// Marks the notification as processed, so that the worker does not get it again.
    func finish(notification id: String, at date: Date) throws {
        try send("UPDATE notifications SET appliedAt = ?, retryAt = NULL WHERE id = ?", [date.milliseconds, id])
    }

    func isLate(notification id: String) throws -> Bool {
        try one(
            """
            SELECT 1 FROM notifications n
            WHERE n.id = ? AND (n.deliveredAt IS NULL OR n.deliveredAt > n.signedAt + ?) AND EXISTS (
                SELECT 1 FROM notifications e
                WHERE e.app = n.app AND e.environment = n.environment AND e.deliveredAt <= n.signedAt)
            """, [id, Int(ConsumptionRequest.promptTime) * 1_000]) != nil
    }

    func unclaimed(of originals: Set<OriginalTransaction.Key>) throws -> [UnclaimedTransaction] {
        try all(of: originals, Self.unclaimed).map { row in
            try UnclaimedTransaction(transaction: facts.decode(row["facts"]), terms: product(of: row))
        }
    }

    private static let unclaimed = KeyedSelection<OriginalTransaction.Key> { dialect in
        """
        SELECT u.facts, u.terms, m.product AS termsProduct
        FROM keys \(dialect.orderedJoin) unclaimedTransactions u \(dialect.using(index: "unclaimedLine"))
            USING (app, environment, originalID)
        LEFT JOIN terms m ON m.hash = u.terms
        """
    }

    func write(_ unclaimed: UnclaimedTransaction) throws {
        let transaction = unclaimed.transaction
        try writeOrder(of: transaction)
        try writeOfferPeriod(transaction)
        try send(
            """
            INSERT INTO unclaimedTransactions
                (app, environment, id, originalID, facts, terms, expiresAt, purchasedAt, revokedAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (app, environment, id) DO UPDATE SET
                originalID = excluded.originalID, facts = excluded.facts,
                expiresAt = excluded.expiresAt, purchasedAt = excluded.purchasedAt, revokedAt = excluded.revokedAt,
                terms = coalesce(unclaimedTransactions.terms, excluded.terms)
            """,
            [
                transaction.app, transaction.environment.rawValue, transaction.id, transaction.originalID,
                facts.encode(transaction), try record(terms: unclaimed.terms),
                transaction.expirationDate?.milliseconds, transaction.purchaseDate.milliseconds,
                transaction.revocation?.date.milliseconds,
            ])
    }
}
