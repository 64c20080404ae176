extension Schema {
    /// What moves a purchase to another account: the evidence that its owner has shown, and how a receipt was sent.
    static let version10 = """
        ALTER TABLE lines ADD COLUMN ownerEvidenceAt INTEGER;
        ALTER TABLE lines ADD COLUMN moveCount INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE receipts ADD COLUMN mayTransfer INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE receipts ADD COLUMN isForDevice INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE receiptTransactions ADD COLUMN remedy TEXT;

        """ + evidenceBefore

    /// Of lines that are there already the owner's receipts tell what was shown. Where the App Store was asked, the date
    /// is that of its answer and so later than that of the bytes: newer evidence still moves the line.
    static let evidenceBefore = """
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
