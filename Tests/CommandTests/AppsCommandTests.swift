import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// `quartermaster apps`, as the shell sees it.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct AppsCommandTests {
    @Test func `The apps command lists, shows, sets and removes apps`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let products = folder.path("products.json")
        try Project.products.write(toFile: products, atomically: false, encoding: .utf8)
        let settings = [
            "QUARTERMASTER_PRODUCTS": products, "QUARTERMASTER_CONTENT": Project.folder("content"),
            "QUARTERMASTER_CONFIG": "", "QUARTERMASTER_DATABASE": folder.database,
        ]
        func run(_ arguments: String...) async throws -> Program.Outcome {
            try await Program.run(["apps"] + arguments, environment: settings)
        }
        #expect(try await run("list").output == "\(World.app)\t1234567890\t6\tnobody\n")
        #expect(try await run("set", "--app", "com.example.chess", "{}").error.contains("there is no ledger"))
        let ledger = try SQLiteLedger.open(path: folder.database, handlers: Server.standardHandlers)
        let added = try await run("set", "--app", "com.example.chess", #"{"sandbox": "testers"}"#)
        #expect(added.status == 0 && added.output.hasPrefix("added com.example.chess, revision "), "\(added)")
        let text = try String(contentsOfFile: products, encoding: .utf8)
        let looked = try await run("set", "--app", "com.example.chess", #"{"sandbox": "everyone"}"#, "--dry-run")
        let lines = [
            "dry run: changed com.example.chess", "  {", "    \"bundleID\": \"com.example.chess\",",
            "-   \"sandbox\": \"testers\"", "+   \"sandbox\": \"everyone\"", "  }", "",
        ]
        #expect(looked.output == lines.joined(separator: "\n"), "\(looked)")
        let gone = try await run("remove", "--app", "com.example.chess", "--dry-run", "--json")
        #expect(gone.json["after"] == .null && gone.json["before"]["sandbox"] == "testers", "\(gone)")
        #expect(gone.json["dryRun"] == true)
        #expect(try String(contentsOfFile: products, encoding: .utf8) == text)
        let currencies = #"{"sandbox": "testers", "currencies": {"moves": {"refund": "clamp"}}}"#
        #expect(try await run("set", "--app", "com.example.chess", currencies, "--reason", " ticket 7 ").status == 0)
        let set = try await run("show", "--app", "com.example.chess", "--json").json
        #expect(set["currencies"] == ["moves": ["refund": "clamp"]])
        let merged = try await run(
            "set", "--app", "com.example.chess", #"{"notice": "soon", "sandbox": "nobody", "currencies": null}"#)
        #expect(
            merged.output.split(separator: "\n").dropFirst() == [
                #"- currencies: {"moves": {"refund": "clamp"}}"#, #"+ notice: "soon""#,
                #"~ sandbox: "testers" to "nobody""#,
            ], "\(merged)")
        let replaced = try await run("set", "--app", "com.example.chess", "--replace", #"{"sandbox": "testers"}"#)
        let left = ["- notice: \"soon\"", "~ sandbox: \"nobody\" to \"testers\"", ""]
        #expect(replaced.output.hasSuffix("\n" + left.joined(separator: "\n")), "\(replaced)")
        #expect(
            try await run("remove", "--app", "com.example.chess", "--reason", " ").error.contains("--reason: 1 to 500"))
        let shown = try await run("show", "--app", "com.example.chess")
        #expect(shown.output.hasPrefix("bundleID\tcom.example.chess\nsandbox\t\"testers\"\nrevision\t"), "\(shown)")
        // A value over several lines is one cell.
        let entry = "{\"sandbox\": {\n  \"everyoneUntil\": \"2099-01-01T00:00:00Z\"\n}}"
        #expect(try await run("set", "--app", "com.example.chess", entry).status == 0)
        let table = try await run("show", "--app", "com.example.chess")
        #expect(table.output.contains(/\nsandbox\t\{ ?"everyoneUntil": "2099-01-01T00:00:00Z" ?\}\n/), "\(table)")
        #expect(try await run("set", "--app", "com.example.chess", #"{"sandbox": "testers"}"#).status == 0)
        let json = try await run("show", "--app", "com.example.chess", "--json")
        #expect(json.json == ["bundleID": "com.example.chess", "sandbox": "testers"], "\(json)")
        let list = try await run("list", "--json").json
        #expect(list["apps"][1]["settings"] == json.json && list["apps"][0]["products"] == 6)
        let stale = try await run("remove", "--app", "com.example.chess", "--if-revision", "x")
        #expect(stale.status == 1 && stale.error.contains("the catalog is at revision"), "\(stale)")
        let wrong = try await run("set", "--app", World.app, #"{"colour": 1}"#)
        #expect(wrong.status == 1 && wrong.error.contains("colour: unknown member"), "\(wrong)")
        #expect(try await run("remove", "--app", World.app).error.contains("6 products"))
        #expect(try await run("show", "--app", "y").error.contains("Unknown app y; the catalog has "))
        #expect(try await run("set", "--app", "y").status == 64)
        let removed = try await run("remove", "--app", "com.example.chess", "--json")
        #expect(removed.json["outcome"] == "removed" && removed.json["product"] == .null, "\(removed)")
        #expect(try String(contentsOfFile: products, encoding: .utf8) == Project.products)
        let rows = try await ledger.auditRows(after: 0, limit: 10)
        let changes = Array(repeating: "app.changed", count: 5)
        #expect(rows.map(\.kind) == ["app.added"] + changes + ["app.removed"])
        let hasReason = rows.map { $0.content?.contains(#""reason":"ticket 7""#) == true }
        #expect(hasReason == [false, true, false, false, false, false, false])
        #expect(rows.allSatisfy { $0.actor == "command:\(NSUserName())" && $0.subject == "com.example.chess" })
    }

    /// Before, the words that one types before a review removed the number that receipts are compared with.
    @Test func `Settings that are not named stay as they are`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let products = folder.path("products.json")
        try Project.products.write(toFile: products, atomically: false, encoding: .utf8)
        _ = try SQLiteLedger.open(path: folder.database, handlers: Server.standardHandlers)
        let settings = [
            "QUARTERMASTER_PRODUCTS": products, "QUARTERMASTER_CONTENT": Project.folder("content"),
            "QUARTERMASTER_CONFIG": "", "QUARTERMASTER_DATABASE": folder.database,
        ]
        let set = ["apps", "set", "--app", World.app]
        let outcome = try await Program.run(set + [#"{"sandbox": "testers"}"#], environment: settings)
        #expect(outcome.status == 0 && outcome.output.hasSuffix("\n+ sandbox: \"testers\"\n"), "\(outcome)")
        let shown = try await Program.run(
            ["apps", "show", "--app", World.app, "--json"], environment: settings)
        #expect(shown.json["appAppleID"] == 1_234_567_890 && shown.json["sandbox"] == "testers", "\(shown)")
        for patch in [#"{"products": null}"#, #"{"products": []}"#] {
            let refused = try await Program.run(set + [patch], environment: settings)
            #expect(refused.status == 1 && refused.error.contains("products: are not changed"), "\(refused)")
        }
    }
}
