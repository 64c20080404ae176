import Testing

@testable import LedgerPostgres

@Suite struct PlaceholderTests {
    @Test(arguments: [
        ("SELECT 1", "SELECT 1", 0),
        ("?", "$1", 1),
        ("a = ? AND b = ?", "a = $1 AND b = $2", 2),
        ("a = ?1 AND b = ?2 AND c = ?1", "a = $1 AND b = $2 AND c = $1", 2),
        ("?12", "$12", 12),
        ("VALUES (?,?,?)", "VALUES ($1,$2,$3)", 3),
        ("'?' || ?", "'?' || $1", 1),
        ("'it''s ?' || ?", "'it''s ?' || $1", 1),
        (#""a?" = ?"#, #""a?" = $1"#, 1),
        (#""a""?" = ?"#, #""a""?" = $1"#, 1),
        ("? -- why?\n+ ?", "$1 -- why?\n+ $2", 2),
        ("? - -?", "$1 - -$2", 2),
        ("?/?", "$1/$2", 2),
        ("/* ? */ ?", "/* ? */ $1", 1),
        ("/* /* ? */ ? */ ?", "/* /* ? */ ? */ $1", 1),
        ("'unclosed ?", "'unclosed ?", 0),
        ("/* unclosed ?", "/* unclosed ?", 0),
        ("'é?' ?", "'é?' $1", 1),
        ("", "", 0),
    ])
    func `Placeholders of a statement are numbered outside of texts and comments`(
        sql: String, text: String, parameters: Int
    ) {
        let statement = PostgresStatement(sql)
        #expect(statement.text == text)
        #expect(statement.parameters == parameters)
    }

    @Test func `The name of a prepared statement belongs to its text`() {
        #expect(PostgresStatement("SELECT ?").name == PostgresStatement("SELECT ?").name)
        #expect(PostgresStatement("SELECT ?").name != PostgresStatement("SELECT  ?").name)
        // What PostgreSQL cuts off would make two names one.
        #expect(PostgresStatement("SELECT ?").name.utf8.count < 64)
    }
}
