import Foundation
import InAppPurchase
import LedgerSQLite
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer

/// `quartermaster catalog`, as the shell sees it.
@Suite(.enabled(if: ServerProcess.isBuilt)) struct CatalogCommandTests {
    private struct Shell {
        let folder: URL

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            _ = try SQLiteLedger.open(
                path: folder.appending(path: "ledger.sqlite").path, handlers: Server.standardHandlers)
        }

        func write(_ name: String, _ text: String) throws -> String {
            let file = folder.appending(path: name)
            try text.write(to: file, atomically: false, encoding: .utf8)
            return file.path
        }

        /// The exit status, and what was printed.
        func run(_ arguments: String..., place: String = "database") async throws -> (
            status: Int32, text: String, error: String
        ) {
            let outcome = try await Program.run(
                ["catalog"] + arguments,
                environment: [
                    "QUARTERMASTER_CATALOG": place, "QUARTERMASTER_CONTENT": Project.folder("content"),
                    "QUARTERMASTER_DATABASE": folder.appending(path: "ledger.sqlite").path,
                ])
            return (outcome.status, outcome.output, outcome.error)
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    @Test func `The catalog command pushes, pulls, compares and rolls back`() async throws {
        let shell = try Shell()
        defer { shell.remove() }
        let hints = SampleCatalog.text(SampleCatalog.hints) + "\n"
        let both = SampleCatalog.text(SampleCatalog.hints, SampleCatalog.words)
        let (one, two) = (try shell.write("one.json", hints), try shell.write("two.json", both))
        #expect(try await shell.run("pull").status == 1)
        #expect(try await shell.run("push", one).text.hasPrefix("revision 1, "))
        #expect(try await shell.run("push", one).text == "unchanged\n")
        #expect(try await shell.run("pull").text == hints)
        let difference = try await shell.run("diff", two)
        #expect(difference.text == "+ com.example.hangman\tcom.example.hangman.hardwords\n", "\(difference)")
        let settings = #""openBundles": ["hard-words"], "notice": "Hello", "products""#
        let reported = try shell.write("three.json", hints.replacing("\"products\"", with: settings))
        #expect(try await shell.run("diff", reported).text == "* com.example.hangman\tnotice, openBundles\n")
        let other = try await shell.run("push", two, "--if-revision", "0123456789abcdef")
        #expect(other.status == 1 && other.error.contains("the catalog is at revision"), "\(other)")
        #expect(try await shell.run("push", two).text.hasPrefix("revision 2, "))
        #expect(try await shell.run("diff", two).text == "")
        #expect(try await shell.run("rollback", "1").text.hasPrefix("revision 3, "))
        #expect(try await shell.run("pull").text == hints)
        #expect(try await shell.run("pull", "2").text == both)
        let history = try await shell.run("history").text.split(separator: "\n").map { $0.prefix(2) }
        #expect(history == ["3\t", "2\t", "1\t"])
        #expect(try await shell.run("rollback", "9").error.contains("there is no revision 9"))
    }

    @Test func `The catalog command refuses what a server would not serve`() async throws {
        let shell = try Shell()
        defer { shell.remove() }
        let bad = try shell.write("bad.json", SampleCatalog.text(SampleCatalog.bad))
        let answer = try await shell.run("push", bad)
        #expect(answer.status == 1 && answer.error.contains("apps[0].products[0].type"), "\(answer)")
        #expect(answer.error.contains("bad.json"))
        #expect(try await shell.run("history").text == "")
        let file = try await shell.run("history", place: "file")
        #expect(file.status == 1 && file.error.contains("the catalog is the file"), "\(file)")
    }
}
