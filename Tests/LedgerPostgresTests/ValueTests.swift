import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import TestSupport
import Testing

@testable import LedgerPostgres

@Suite struct ValueTests {
    static let integers: [Int] = [0, 1, -1, 9_999, 10_000, -10_001, .max, .min, 1 << 40]
    static let texts = [
        "", "a", "it's", "\"", "\\", "?", "$1", "\u{FEFF}é\u{1F600}", "e\u{301}", "\0", "a\0b", "\u{10FFFF}",
        "\u{10FFFF}0", "\u{10FFFF}1\0", "\n\r\t", String(repeating: "x", count: 3 << 20),
    ]
    static let blobs = [Data(), Data([0]), Data([0, 255, 0x5C, 0x78]), Data(repeating: 7, count: 3 << 20)]

    private func store(_ rows: [[(any SQLConvertible)?]]) async throws -> [[SQLValue]] {
        try await TestDatabase().open().write { transaction in
            for (id, row) in rows.enumerated() {
                try transaction.run("INSERT INTO kept (id, number, words, bytes) VALUES (?, ?, ?, ?)", [id] + row)
            }
            return try transaction.all("SELECT number, words, bytes FROM kept ORDER BY id", []).map(\.values)
        }
    }

    @Test func `Values of every kind are stored and read back`() async throws {
        let rows: [[(any SQLConvertible)?]] =
            Self.integers.map { [$0, nil, nil] } + Self.texts.map { [nil, $0, nil] }
            + Self.blobs.map { [nil, nil, $0] } + [[nil, nil, nil]]
        #expect(try await store(rows) == rows.map { $0.map { $0?.sqlValue ?? .null } })
    }

    @Test func `Random values are stored and read back`() async throws {
        var random = SeededGenerator(seed: 11)
        let rows: [[(any SQLConvertible)?]] = (0..<300).map { _ in
            let text = random.text(of: ["a", "\0", "\u{10FFFF}", "0", "1", "é", "\u{1F600}"], upTo: 9)
            let bytes = Data(
                (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) })
            let number = Int.random(in: .min ... .max, using: &random) >> Int.random(in: 0...63, using: &random)
            return [random.flip() ? number : nil, random.flip() ? text : nil, random.flip() ? bytes : nil]
        }
        #expect(try await store(rows) == rows.map { $0.map { $0?.sqlValue ?? .null } })
    }

    /// A text that begins with another still does.
    @Test func `Stored texts keep their prefixes`() {
        for text in Self.texts.dropLast() {
            for other in Self.texts.dropLast() {
                let together = StoredText.encode(text + other)
                #expect(together.unicodeScalars.starts(with: StoredText.encode(text).unicodeScalars))
            }
        }
    }

    static let answers: [(sql: String, value: SQLValue)] = [
        ("CAST(7 AS SMALLINT)", .integer(7)), ("CAST(-7 AS INTEGER)", .integer(-7)),
        ("CAST(-7 AS BIGINT)", .integer(-7)), ("1 = 1", .integer(1)), ("1 = 2", .integer(0)),
        ("CAST(NULL AS TEXT)", .null), ("'text'", .text("text")), ("CAST('v' AS VARCHAR)", .text("v")),
        ("CAST(0 AS NUMERIC)", .integer(0)), ("CAST(10000 AS NUMERIC)", .integer(10_000)),
        ("CAST(-123456789 AS NUMERIC)", .integer(-123_456_789)), ("CAST('5.000' AS NUMERIC)", .integer(5)),
        ("CAST('9223372036854775807' AS NUMERIC)", .integer(.max)),
        ("CAST('-9223372036854775808' AS NUMERIC)", .integer(.min)),
        ("sum(CAST(n AS BIGINT)) FROM generate_series(1, 3) n", .integer(6)),
        ("count(*) FROM generate_series(1, 3)", .integer(3)),
        (#"CAST('\x00ff' AS BYTEA)"#, .blob(Data([0, 255]))),
    ]

    @Test(arguments: answers)
    func `Values of the types of PostgreSQL are read`(sql: String, value: SQLValue) async throws {
        let row = try await TestDatabase().open().read { try $0.one("SELECT \(sql)", []) }
        #expect(row?.values == [value])
    }

    @Test(arguments: [
        "CAST('0.5' AS NUMERIC)", "CAST('NaN' AS NUMERIC)", "CAST('9223372036854775808' AS NUMERIC)",
        "1.5e0::float8",
        "CAST('1e40' AS NUMERIC)", "now()",
    ])
    func `Values of other types are refused`(sql: String) async throws {
        let database = try TestDatabase().open()
        await #expect(throws: LedgerUnavailable.self) { try await database.read { try $0.one("SELECT \(sql)", []) } }
        // The connection is as good as before.
        #expect(try await database.read { try $0.all("SELECT 1", []).count } == 1)
    }

    @Test func `Columns are found in any case`() async throws {
        let row = try await TestDatabase().open().read { try $0.one("SELECT 1 AS originalID", []) }
        #expect(try row?.decode("originalID", as: Int.self) == 1)
    }

    @Test func `Large results are read row by row`() async throws {
        let database = try TestDatabase().open()
        let sum = try await database.read { transaction in
            var sum = 0
            try transaction.each("SELECT n FROM generate_series(1, 200000) n", []) { sum += try $0.decode("n") }
            return sum
        }
        #expect(sum == 20_000_100_000)
    }

    struct Enough: Error {}

    @Test func `Reading rows may end early`() async throws {
        let database = try TestDatabase().open()
        let numbers = try await database.read { transaction in
            var numbers: [Int] = []
            try? transaction.each("SELECT n FROM generate_series(1, 5000) n", []) { row in
                numbers.append(try row.decode("n"))
                if numbers.count == 3 { throw Enough() }
            }
            return numbers + [try transaction.one("SELECT 9 AS n", [])?.decode("n") ?? 0]
        }
        #expect(numbers == [1, 2, 3, 9])
    }

    @Test func `A second statement while rows are read is refused`() async throws {
        let database = try TestDatabase().open()
        await #expect(throws: LedgerUnavailable.self) {
            try await database.read { transaction in
                try transaction.each("SELECT 1", []) { _ in _ = try transaction.one("SELECT 2", []) }
            }
        }
    }
}
