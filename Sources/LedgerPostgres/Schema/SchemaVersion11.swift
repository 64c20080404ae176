/// The lifetime of the links that were issued with a manifest, as in ``LedgerSQLite`` after its version 17.
enum SchemaVersion11 {
    static let sql = "ALTER TABLE manifestDeliveries ADD COLUMN linkLifetime BIGINT;"
}
