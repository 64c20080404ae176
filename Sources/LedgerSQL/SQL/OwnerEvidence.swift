/// Backfills evidence that owners presented before it was stored with their purchases.
package enum OwnerEvidence {
    /// The statements of a migration, for either database. The evidence is taken from the owner's receipts. If the App
    /// Store was asked, the date is that of its answer and so later than that of the bytes: newer evidence still
    /// transfers.
    package static let backfill = """
        UPDATE lines SET moveCount = moved.count
        FROM (
            SELECT app, environment, originalID, count(*) AS count FROM lineMoves GROUP BY app, environment, originalID
        ) moved
        WHERE lines.app = moved.app AND lines.environment = moved.environment AND lines.originalID = moved.originalID;

        UPDATE lines SET ownerEvidenceAt = shown.lastAt
        FROM (
            SELECT t.app, t.environment, t.originalID, r.account, max(c.signedAt) AS lastAt
            FROM receipts r JOIN receiptTransactions c ON c.receipt = r.id
            JOIN transactions t ON t.app = c.app AND t.environment = c.environment AND t.id = c.id
            WHERE r.kind IN ('signedTransaction', 'appReceipt')
            GROUP BY t.app, t.environment, t.originalID, r.account
        ) shown
        WHERE lines.app = shown.app AND lines.environment = shown.environment AND lines.originalID = shown.originalID
            AND lines.owner = shown.account;
        """
}
