/// The index of one app's notifications, as in ``LedgerSQLite`` after its version 31.
enum SchemaVersion25 {
    static let sql = "CREATE INDEX notificationsOfApp ON notifications (app, recordedAt, id);"
}
