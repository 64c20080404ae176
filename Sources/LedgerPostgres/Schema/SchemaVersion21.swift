/// The date on which the store sent a notification to the server, as in ``LedgerSQLite`` after its version 27.
enum SchemaVersion21 {
    static let sql = """
        ALTER TABLE notifications ADD COLUMN deliveredAt BIGINT;
        UPDATE notifications SET deliveredAt = recordedAt WHERE id IN (
            SELECT id FROM (
                SELECT id, row_number() OVER (PARTITION BY app, environment ORDER BY recordedAt DESC, id) AS place
                FROM notifications) AS numbered
            WHERE place = 1);
        CREATE INDEX notificationsDelivered ON notifications (app, environment, deliveredAt)
            WHERE deliveredAt IS NOT NULL;
        """
}
