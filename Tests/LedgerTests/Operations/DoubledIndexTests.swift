import Testing

/// Every index costs a page of each insert: none has only what another one of its table begins with.
@Suite struct DoubledIndexTests {
    private struct Index {
        let table: String
        let name: String
        let mayBeDropped: Bool
        let columns: [String]

        /// A row of table, index, whether it enforces nothing and has all rows, and the columns, separated by commas.
        init(_ row: String) throws {
            let parts = row.split(separator: " ").map(String.init)
            try #require(parts.count == 4, "\(row)")
            table = parts[0]
            name = parts[1]
            mayBeDropped = parts[2] == "1"
            columns = parts[3].split(separator: ",").map(String.init)
        }
    }

    private static let ofSQLite = """
        SELECT m.name, i.name, (i."unique" = 0 AND i.partial = 0), (
            SELECT group_concat(coalesce(c.name, 'expression ' || i.name) || CASE c."desc" WHEN 1 THEN '-' ELSE '' END)
            FROM (SELECT * FROM pragma_index_xinfo(i.name) WHERE key = 1 ORDER BY seqno) c)
        FROM sqlite_master m JOIN pragma_index_list(m.name) i
        WHERE m.type = 'table' AND i.partial = 0
        """

    private static let ofPostgreSQL = """
        SELECT t.relname, i.relname, CASE WHEN x.indisunique THEN 0 ELSE 1 END, (
            SELECT string_agg(replace(pg_get_indexdef(x.indexrelid, n::int, true), ' ', '_') || x.indoption[n - 1], ','
                ORDER BY n)
            FROM generate_series(1, x.indnkeyatts) n)
        FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
        WHERE t.relnamespace = current_schema()::regnamespace AND x.indpred IS NULL
        """

    @Test(arguments: LedgerKind.allCases)
    func `No index has only the columns that another index of its table begins with`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        let indexes = try await ledger.rows(kind == .postgres ? Self.ofPostgreSQL : Self.ofSQLite).map { try Index($0) }
        #expect(indexes.count > TestLedger.tables.count / 2)
        for index in indexes where index.mayBeDropped {
            let cover = indexes.first {
                $0.table == index.table && $0.name != index.name && $0.columns.starts(with: index.columns)
            }
            #expect(cover == nil, "\(index.name) of \(index.table) is covered by \(cover?.name ?? "")")
        }
    }
}
