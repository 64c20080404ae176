import Foundation
import InAppPurchase
import LedgerSQLite
import ServerTestSupport
import Testing

@testable import CommandLine

/// The configuration file that a command finds.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct ConfigurationFileTests {
    /// The files in the folder, other settings, and which ledger is meant.
    static let table: [(files: [String], flags: [String], variables: [String: String], ledger: String)] = [
        ([], [], [:], "quartermaster.sqlite"),
        (["var/quartermaster.json"], [], [:], "var-quartermaster.json.sqlite"),
        (["quartermaster.json"], [], [:], "quartermaster.json.sqlite"),
        (["quartermaster.json", "var/quartermaster.json"], [], [:], "quartermaster.json.sqlite"),
        (
            ["quartermaster.json", "other.json"], [], ["QUARTERMASTER_CONFIG": "other.json"],
            "other.json.sqlite"
        ),
        (
            ["quartermaster.json", "other.json", "third.json"], ["--config", "third.json"],
            ["QUARTERMASTER_CONFIG": "other.json"], "third.json.sqlite"
        ),
        (["quartermaster.json"], ["--database", "flag.sqlite"], [:], "flag.sqlite"),
        (["var/quartermaster.json"], [], ["QUARTERMASTER_DATABASE": "variable.sqlite"], "variable.sqlite"),
        (
            ["var/quartermaster.json"], ["--database", "flag.sqlite"],
            ["QUARTERMASTER_DATABASE": "variable.sqlite"], "flag.sqlite"
        ),
        // If empty, it asks for none.
        (["quartermaster.json"], [], ["QUARTERMASTER_CONFIG": ""], "quartermaster.sqlite"),
    ]

    @Test func `Every command finds the configuration file in the current folder`() async throws {
        for row in Self.table {
            let folder = try LedgerFolder()
            defer { folder.leave() }
            let place = try #require(realpath(folder.path(""), nil).map { String(cString: $0) })
            try FileManager.default.createDirectory(atPath: folder.path("var"), withIntermediateDirectories: true)
            for file in row.files {
                try #"{"database": "\#(file.replacing("/", with: "-")).sqlite"}"#
                    .write(toFile: folder.path(file), atomically: true, encoding: .utf8)
            }
            for command in [["admin-token", "list"], ["audit", "verify"], ["bundles", "yank", "b", "1.0.0"]] {
                let outcome = try await Program.run(command + row.flags, environment: row.variables, in: folder.folder)
                #expect(
                    outcome.status == 1 && outcome.error == "Error: \(place)/\(row.ledger): there is no ledger\n",
                    "\(row) \(command): \(outcome)")
            }
        }
    }

    /// Every command, since each of them would do something else than what was meant.
    @Test func `A misspelt variable stops every command`() async throws {
        for command in [["serve"], ["admin-token", "list"], ["status"], ["products", "list"]] {
            let outcome = try await Program.run(command, environment: ["QUARTERMASTER_DATABSE": "x"])
            let sentence = "QUARTERMASTER_DATABSE: there is no such setting; did you mean QUARTERMASTER_DATABASE?"
            #expect(outcome.status == 1 && outcome.error == "Error: \(sentence)\n", "\(command): \(outcome)")
        }
    }

    /// A file that was asked for is never ignored.
    @Test func `A missing or wrong configuration file is refused`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try "{}".write(toFile: folder.path("quartermaster.json"), atomically: true, encoding: .utf8)
        let outcome = try await Program.run(["admin-token", "list", "--config", "none.json"], in: folder.folder)
        #expect(outcome.status == 1 && outcome.error.hasPrefix("Error: none.json: "), "\(outcome)")
        try "{\n  \"port\": 8081\n  \"host\": \"::1\"\n}"
            .write(toFile: folder.path("quartermaster.json"), atomically: true, encoding: .utf8)
        let malformed = try await Program.run(["admin-token", "list"], in: folder.folder)
        let words = #"quartermaster.json: not JSON (RFC 8259), at byte 19 (line 3, column 3), after "port""#
        #expect(malformed.status == 1 && malformed.error == "Error: \(words)\n", "\(malformed)")
        try #"{"databse": "x"}"#.write(toFile: folder.path("quartermaster.json"), atomically: true, encoding: .utf8)
        let wrong = try await Program.run(["admin-token", "list"], in: folder.folder)
        let sentence = "databse in quartermaster.json: there is no such setting; did you mean database?"
        #expect(wrong.status == 1 && wrong.error == "Error: \(sentence)\n", "\(wrong)")
    }
}
