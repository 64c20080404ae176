extension SQLDialect {
    /// Selects each column of a table (`name`, `type`) in order; no rows if there is no such table.
    var columnsOfTable: SQLStatement {
        switch self {
        case .sqlite: "SELECT name, type FROM pragma_table_info(?) ORDER BY cid"
        case .postgres:
            """
            SELECT column_name AS name, data_type AS type FROM information_schema.columns
            WHERE table_name = lower(?) AND table_schema = ANY (current_schemas(false)) ORDER BY ordinal_position
            """
        }
    }

    /// Selects a row if there is a table of this name.
    var tableOfName: SQLStatement {
        switch self {
        case .sqlite: "SELECT 1 AS found FROM sqlite_schema WHERE type = 'table' AND name = ?"
        case .postgres:
            """
            SELECT 1 AS found FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
            WHERE c.relname = lower(?) AND n.nspname = ANY (current_schemas(false))
            """
        }
    }

    /// The clause of an insertion that sets values of a column which the database numbers by itself.
    var withNumbers: String {
        switch self {
        case .sqlite: ""
        case .postgres: "OVERRIDING SYSTEM VALUE "
        }
    }

    /// Continues the numbering after the greatest number in the column; `nil` if the database does so anyway.
    func goOnNumbering(_ column: String, of table: String) -> SQLStatement? {
        switch self {
        case .sqlite: nil
        case .postgres:
            """
            SELECT setval(pg_get_serial_sequence('\(table)', '\(column)'), coalesce(max(\(column)), 1),
                max(\(column)) IS NOT NULL) AS last FROM \(table)
            """
        }
    }
}
