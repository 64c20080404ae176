/// The apps that an admin token is for, as in ``LedgerSQLite`` after its version 25.
enum SchemaVersion19 {
    static let sql = #"ALTER TABLE adminTokens ADD COLUMN apps TEXT COLLATE "C";"#
}
