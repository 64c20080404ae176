/// What moves a purchase to another account, as ``LedgerSQLite`` has it after its version 10.
enum SchemaVersion4 {
    static let sql = """
        ALTER TABLE lines ADD COLUMN ownerEvidenceAt BIGINT;
        ALTER TABLE lines ADD COLUMN moveCount BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE receipts ADD COLUMN mayTransfer BIGINT NOT NULL DEFAULT 1;
        ALTER TABLE receipts ADD COLUMN isForDevice BIGINT NOT NULL DEFAULT 0;
        ALTER TABLE receiptTransactions ADD COLUMN remedy TEXT COLLATE "C";

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
