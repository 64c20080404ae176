import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import NIOHTTP1
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// `quartermaster products`, as the shell sees it.
@Suite(.enabled(if: ServerProcess.isBuilt)) struct ProductsCommandTests {
    static let five = SampleCatalog.fiveHints

    private struct Shell {
        let folder: URL

        init() throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Project.products.write(to: path("products.json"), atomically: false, encoding: .utf8)
        }

        func path(_ name: String) -> URL { folder.appending(path: name) }

        var text: String { get throws { try String(contentsOf: path("products.json"), encoding: .utf8) } }

        func makeLedger() throws -> SQLLedger {
            try SQLiteLedger.open(path: path("ledger.sqlite").path, handlers: Server.standardHandlers)
        }

        struct Outcome: Sendable {
            var status: Int32
            var output: String
            var error: String
        }

        func run(_ arguments: String..., input: String = "") async throws -> Outcome {
            try await run(arguments, input: input)
        }

        func run(_ arguments: [String], input: String = "") async throws -> Outcome {
            try await onDedicatedThread { try outcome(of: arguments, input: input) }
        }

        private func outcome(of arguments: [String], input: String) throws -> Outcome {
            let (process, output, error, standardInput) = (Process(), Pipe(), Pipe(), Pipe())
            process.executableURL = ServerProcess.executable
            process.arguments = ["products"] + arguments
            process.environment = [
                "QUARTERMASTER_PRODUCTS": path("products.json").path,
                "QUARTERMASTER_CONTENT": Project.folder("content"),
                "QUARTERMASTER_CONFIG": "",
                "QUARTERMASTER_DATABASE": path("ledger.sqlite").path,
            ]
            (process.standardOutput, process.standardError, process.standardInput) = (output, error, standardInput)
            try process.run()
            try standardInput.fileHandleForWriting.write(contentsOf: Data(input.utf8))
            try standardInput.fileHandleForWriting.close()
            let texts = try [output, error].map {
                String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            }
            process.waitUntilExit()
            return Outcome(status: process.terminationStatus, output: texts[0], error: texts[1])
        }

        func remove() { try? FileManager.default.removeItem(at: folder) }
    }

    @Test func `The products command warns of placements with unknown products`() async throws {
        let shell = try Shell()
        defer { shell.remove() }
        #expect(try await shell.run("check").error == "")
        let placements = #""placements": {"shop": ["com.example.hangman.tenhints", "gone"]}, "products": ["#
        try Project.products.replacing(#""products": ["#, with: placements)
            .write(to: shell.path("products.json"), atomically: false, encoding: .utf8)
        let checked = try await shell.run("check")
        let warning = "warning: apps[0].placements.shop: there is no product \"gone\"\n"
        #expect(checked.status == 0 && checked.error == warning, "\(checked)")
        #expect(checked.output.hasPrefix("6 products of 1 app, revision "))
    }

    @Test func `The products command lists what each product gives, and for how long`() async throws {
        let shell = try Shell()
        defer { shell.remove() }
        let more = #"{"hints": 10, "coins": 3}, "name": {"de": "Zehn", "en": "Ten hints"}"#
        try Project.products.replacing(#"{"hints": 10}"#, with: more)
            .write(to: shell.path("products.json"), atomically: false, encoding: .utf8)
        let list = try await shell.run("list")
        #expect(list.output.contains(".tenhints\tconsumable\tcoins=3 hints=10\t\t\t\tTen hints\n"), "\(list)")
        #expect(list.output.contains(".nighttheme.month\tnon-renewing\t\tP1M\tnight-theme\t\t\n"), "\(list)")
        let listed = try await shell.run("list", "--json").output
        let lines = try JSONDecoder().decode([[String: JSONValue]].self, from: Data(listed.utf8))
        #expect(lines.compactMap { $0["credits"] }.contains(["hints": 10, "coins": 3]), "\(listed)")
        #expect(lines.compactMap { $0["duration"] } == ["P1M"], "\(listed)")
        #expect(lines.compactMap { $0["name"] } == [["de": "Zehn", "en": "Ten hints"]], "\(listed)")
    }

    @Test func `The products command shows one product as the catalog has it`() async throws {
        let shell = try Shell()
        defer { shell.remove() }
        let id = "\(World.app).tenhints"
        let shown = try await shell.run("show", "--app", World.app, id)
        let start = "app\t\(World.app)\nid\t\"\(id)\"\ntype\t\"consumable\"\ncredits\t{\"hints\": 10}\nrevision\t"
        #expect(shown.status == 0 && shown.output.hasPrefix(start), "\(shown)")
        let entry = try await shell.run("show", "--app", World.app, id, "--json").output
        #expect(entry == "{\"id\": \"\(id)\", \"type\": \"consumable\", \"credits\": {\"hints\": 10}}\n", "\(entry)")
        let none = try await shell.run("show", "--app", World.app, "gone")
        #expect(none.status == 1 && none.error == "Error: the catalog has no product gone of \(World.app)\n", "\(none)")
    }

    @Test func `The products command warns of products that are probably not intended`() async throws {
        let shell = try Shell()
        defer { shell.remove() }
        let products = """
            "products": [{"id": "a b", "type": "consumable"}, {"id": "tip", "type": "consumable", "credits": {}},
            {"id": "noads", "type": "non-consumable"}, {"id": "club", "type": "auto-renewable"},
            {"id": "once", "type": "consumable", "bundles": ["hard-words"]},
            """
        try Project.products.replacing(#""products": ["#, with: products)
            .write(to: shell.path("products.json"), atomically: false, encoding: .utf8)
        let checked = try await shell.run("check")
        let nothing = "a consumable without credits and bundles gives nothing"
        #expect(checked.status == 0, "\(checked)")
        #expect(
            checked.error == """
                warning: apps[0].products[0].id: "a b" has a space, which App Store Connect does not accept
                warning: apps[0].products[0]: \(nothing)
                warning: apps[0].products[1]: \(nothing)

                """, "\(checked)")
    }

    @Test func `The products command lists what the store does not know`() async throws {
        let shell = try Shell()
        defer { shell.remove() }
        #expect(try await shell.run("unavailable").status == 1, "there is no ledger")
        let ledger = try shell.makeLedger()
        #expect(try await shell.run("unavailable").output == "")
        for address in [1, 2, 3] as [UInt8] {
            let app = BundleID(stored: World.app)
            try await ledger.recordUnavailable(["a"], of: app, from: Data([address]), at: World.start)
        }
        #expect(try await shell.run("unavailable").output == "2026-11-18\t\(World.app)\ta\t3\n")
        let listed = try await shell.run("unavailable", "--json").output
        let json = try JSONDecoder().decode(JSONValue.self, from: Data(listed.utf8))
        #expect(
            json == ["products": [["app": .string(World.app), "product": "a", "day": "2026-11-18", "addresses": 3]]])
    }

    @Test func `The products command adds and removes, and audits who did it`() async throws {
        let shell = try Shell()
        defer { shell.remove() }
        let ledger = try shell.makeLedger()
        let limited = """
            {"id": "f", "type": "consumable", "availableUntil": "2027-01-01T00:00:00Z", "platforms": ["iOS"]}
            """
        try limited.write(to: shell.path("entry.json"), atomically: false, encoding: .utf8)
        let added = try await shell.run("add", "--app", World.app, Self.five)
        #expect(
            added.status == 0 && added.output.hasPrefix("added com.example.hangman.fivehints, revision "), "\(added)")
        let piped = try await shell.run(
            "add", "--app", World.app, "--json", "-", input: Self.five.replacing("5}", with: "6}"))
        let answer = try JSONDecoder().decode(JSONValue.self, from: Data(piped.output.utf8))
        #expect(answer["outcome"] == "changed" && answer["product"] == .string(SampleCatalog.five))
        let revision = try #require(answer["revision"].text)
        let stale = try await shell.run("remove", "--app", World.app, "--if-revision", "x", SampleCatalog.five)
        #expect(stale.status == 1 && stale.error.contains("revision \(revision)"), "\(stale)")
        #expect(
            try await shell.run(
                "add", "--app", World.app, "--file", shell.path("entry.json").path, "--if-revision", revision
            )
            .status == 0)
        let list = try await shell.run("list").output
        let line = "\tf\tconsumable\t\t\t\tavailableUntil=2027-01-01T00:00:00Z platforms=iOS\t\n"
        #expect(list.contains(line), "\(list)")
        #expect(try await shell.run("remove", "--app", World.app, SampleCatalog.five).status == 0)
        #expect(try await shell.run("remove", "--app", World.app, "f").status == 0)
        #expect(try shell.text == Project.products)
        let rows = try await ledger.auditRows(after: 0, limit: 10)
        #expect(
            rows.map(\.kind) == [
                "product.added", "product.changed", "product.added", "product.removed", "product.removed",
            ])
        #expect(rows.allSatisfy { $0.actor == "command:\(NSUserName())" })
    }

    @Test func `The products command shows a product, and changes what is named`() async throws {
        let shell = try Shell()
        defer { shell.remove() }
        let ten = "com.example.hangman.tenhints"
        let entry = #"{"id": "\#(ten)", "type": "consumable", "credits": {"hints": 10}}"#
        let shown = try await shell.run("show", ten)
        let rows = [
            "app\t\(World.app)", "id\t\"\(ten)\"", "type\t\"consumable\"", "credits\t{\"hints\": 10}", "revision\t",
        ]
        #expect(shown.status == 0 && shown.output.hasPrefix(rows.joined(separator: "\n")), "\(shown)")
        #expect(try await shell.run("show", ten, "--app", World.app, "--json").output == entry + "\n")
        let edit = ["edit", "--app", World.app, ten]
        #expect(try await shell.run(edit + ["--set", "credits=null"]).error.contains("there is no ledger"))
        let ledger = try shell.makeLedger()
        let sets = ["--set", "credits={\"hints\": 12}", "--set", "availableUntil=2027-01-01T00:00:00Z"]
        let dry = try await shell.run(edit + sets + ["--dry-run"])
        let lines = [
            "dry run: changed \(ten)", "  {", "    \"id\": \"\(ten)\",", "    \"type\": \"consumable\",",
            "    \"credits\": {", "-     \"hints\": 10", "+     \"hints\": 12", "    },",
            "+   \"availableUntil\": \"2027-01-01T00:00:00Z\"", "  }", "",
        ]
        #expect(dry.output == lines.joined(separator: "\n") && dry.status == 0, "\(dry)")
        #expect(try shell.text == Project.products)
        let changed = try await shell.run(edit + sets + ["--reason", "ticket 7"])
        #expect(changed.status == 0 && changed.output.hasPrefix("changed \(ten), revision "), "\(changed)")
        let new = entry.replacing("10}}", with: "12}, \"availableUntil\": \"2027-01-01T00:00:00Z\"}")
        #expect(try shell.text == Project.products.replacing(entry, with: new))
        #expect(try await shell.run(edit + ["--set", "credits={\"hints\":12}"]).output.hasPrefix("unchanged \(ten), "))
        let back = try await shell.run(edit + ["--set", "availableUntil=null", "--set", "credits={\"hints\": 10}"])
        #expect(back.status == 0, "\(back)")
        #expect(try shell.text == Project.products)
        let audited = try await ledger.auditRows(after: 0, limit: 10)
        #expect(audited.map(\.kind) == ["product.changed", "product.changed"])
        #expect(audited.map { $0.content?.contains(#""reason":"ticket 7""#) == true } == [true, false])
        let failures: [([String], String, Int32)] = [
            (["edit", "--app", World.app, "x", "--set", "type=consumable"], "Unknown product", 1),
            (edit + ["--set", "id=other"], "id: should be", 1), (edit + ["--set", "colour=red"], "colour", 1),
            (edit + ["--set", "credits"], "a member and its value", 64), (edit, "--set", 64),
            (edit + ["--set", "credits={}", "--if-revision", "x"], "the catalog is at revision", 1),
            (["show", "x"], "the catalog has no product x", 1), (["show", ten, "--app", "y"], "\(ten) of y", 1),
        ]
        for (arguments, words, status) in failures {
            let outcome = try await shell.run(arguments)
            #expect(outcome.status == status && outcome.error.contains(words) && outcome.output.isEmpty, "\(outcome)")
        }
        let other = #"{"bundleID": "chess", "products": [\#(entry)]}"#
        try Project.products.replacing(#""apps": ["#, with: "\"apps\": [\(other), ")
            .write(to: shell.path("products.json"), atomically: false, encoding: .utf8)
        #expect(try await shell.run("show", ten).error.contains("name one with --app: chess, \(World.app)"))
        #expect(try await shell.run("show", ten, "--app", "chess").output.hasPrefix("app\tchess\n"))
    }

    @Test func `Failures and wrong usage of the products command have one line and their exit status`() async throws {
        let shell = try Shell()
        defer { shell.remove() }
        let early = try await shell.run("add", "--app", World.app, Self.five)
        #expect(early.status == 1 && early.error.contains("there is no ledger"), "\(early)")
        #expect(!FileManager.default.fileExists(atPath: shell.path("ledger.sqlite").path))
        _ = try shell.makeLedger()
        let failures = [
            (["{\"id\": \"x\", \"type\": \"consumable\", \"credits\": {\"hints\": 0}}"], "credits: amounts"),
            (["{\"type\": \"consumable\"}"], "id: missing"), (["{"], "not JSON"),
            (["--file", "/no/such.json"], "/no/such.json"),
        ]
        for (arguments, words) in failures {
            let outcome = try await shell.run(
                "add", "--app", World.app, arguments[0], arguments.count > 1 ? arguments[1] : "--json")
            #expect(outcome.status == 1 && outcome.error.contains(words) && outcome.output.isEmpty, "\(outcome)")
            #expect(outcome.error.split(separator: "\n").count == 1, "\(outcome)")
        }
        try await Self.expectNamesOfWhatThereIs(shell)
        #expect(try await shell.run("add", "--app", World.app).status == 64)
        #expect(try await shell.run("add", "--app", World.app, "--file", "x", "-").status == 64)
        #expect(try await shell.run("add", Self.five).status == 64)
        #expect(try shell.text == Project.products)
    }

    /// Before, one had to find out which name was meant, and which there are.
    private static func expectNamesOfWhatThereIs(_ shell: Shell) async throws {
        let place = "Error: \(shell.path("products.json").path): "
        let all = [
            "tenhints", "hundredhints", "hardwords", "ioswords", "nighttheme.month",
        ].map { "\(World.app).\($0)" }.joined(separator: ", ")
        let cases = [
            ([World.app, "x"], "Unknown product x; \(World.app) has \(all), …"),
            (
                [World.app, "\(World.app).tenhint"],
                "Unknown product \(World.app).tenhint; did you mean \(World.app).tenhints?"
            ),
            (["y", "x"], "Unknown app y; the catalog has \(World.app)"),
            (["com.example.hangmen", "x"], "Unknown app com.example.hangmen; did you mean \(World.app)?"),
        ]
        for (names, sentence) in cases {
            let outcome = try await shell.run("remove", "--app", names[0], names[1])
            #expect(outcome.status == 1 && outcome.error == "\(place)\(sentence)\n", "\(outcome)")
        }
    }

    @Test func `A running server reloads an edit of a command and does not audit it again`() async throws {
        let shell = try Shell()
        defer { shell.remove() }
        try FileManager.default.createSymbolicLink(
            at: shell.path("content"), withDestinationURL: URL(filePath: Project.folder("content")))
        let server = try await ServerProcess(folder: shell.folder, environment: [:])
        try await server.start()
        do {
            #expect(try await shell.run("add", "--app", World.app, Self.five).status == 0)
            try await poll("the product is on sale") {
                try await server.call(.GET, "/v1/apps/\(World.app)/products").json["productIDs"].array
                    .contains(.string(SampleCatalog.five))
            }
            #expect(try await shell.run("remove", "--app", World.app, SampleCatalog.five).status == 0)
            try await poll("the product is off sale") {
                try await server.call(.GET, "/v1/apps/\(World.app)/products").json["productIDs"].array.count == 6
            }
        } catch {
            try await server.kill()
            throw error
        }
        try await server.kill()
        let rows = try await shell.makeLedger().auditRows(after: 0, limit: 10).map(\.kind)
        #expect(rows == ["product.added", "product.removed"])
    }
}
