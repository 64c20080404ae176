extension Schema {
    /// The date on which the store sent a notification to the server: those that the server fetched, since they never
    /// arrived, have none.
    ///
    /// For earlier rows it is not known; the newest of each app and environment counts as sent, as it did.
    static let version27 = """
        ALTER TABLE notifications ADD COLUMN deliveredAt INTEGER;
        UPDATE notifications SET deliveredAt = recordedAt WHERE id IN (
            SELECT id FROM (
                SELECT id, row_number() OVER (PARTITION BY app, environment ORDER BY recordedAt DESC, id) AS place
                FROM notifications) AS numbered
            WHERE place = 1);
        CREATE INDEX notificationsDelivered ON notifications (app, environment, deliveredAt)
            WHERE deliveredAt IS NOT NULL;
        """
}
