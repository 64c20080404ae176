import Content
import Foundation
import InAppPurchase
import LedgerSQLite
import NIOHTTP1
import QuartermasterServer
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore

/// `quartermaster bundles`, run as an operator runs it.
@Suite(.enabled(if: ServerProcess.isBuilt)) struct BundlesCommandTests {
    static let words = """
        {"id": "hard", "type": "non-consumable", "bundles": ["hard-words"]},
        {"id": "club", "type": "auto-renewable", "bundles": ["art", "hard-words"]}
        """

    @Test func `The bundles command lists versions, files, bytes and products`() async throws {
        let shop = try Shop(SampleCatalog.text(Self.words))
        try shop.write("alpha", to: "hard-words/1.10.0/words.txt")
        let list = try await shop.run("list")
        #expect(list.status == 0 && list.error == "")
        #expect(
            list.output == """
                art\t2.0.0\t1\t3\tclub\tpublished\t\t
                hard-words\t1.9.0\t2\t9\thard,club\tpublished\t\t
                hard-words\t1.10.0\t1\t5\thard,club\tpublished\t\t
                unsold\t1.0.0\t1\t0\t\tpublished\t\t

                """)
        let json = try await shop.run("list", "--json")
        #expect(json.status == 0 && json.error == "")
        let club: JSONValue = ["app": "com.example.hangman", "id": "club"]
        #expect(
            json.json == [
                [
                    "bundle": "art", "versions": [["version": "2.0.0", "files": 1, "bytes": 3, "state": "published"]],
                    "products": [club],
                ],
                [
                    "bundle": "hard-words",
                    "versions": [
                        ["version": "1.9.0", "files": 2, "bytes": 9, "state": "published"],
                        ["version": "1.10.0", "files": 1, "bytes": 5, "state": "published"],
                    ],
                    "products": [["app": "com.example.hangman", "id": "hard"], club],
                ],
                [
                    "bundle": "unsold",
                    "versions": [["version": "1.0.0", "files": 1, "bytes": 0, "state": "published"]], "products": [],
                ],
            ])
    }

    @Test func `The bundles command finds nothing wrong in intact content`() async throws {
        let shop = try Shop(SampleCatalog.text(Self.words))
        let before = try shop.everything()
        let text = try await shop.run("verify")
        #expect(text.status == 0 && text.error == "")
        #expect(text.output == "3 bundles, 3 versions, 4 files, 12 bytes, 0 problems\n")
        let json = try await shop.run("verify", "--json")
        #expect(json.status == 0 && json.error == "")
        #expect(json.json == ["bundles": 3, "versions": 3, "files": 4, "bytes": 12, "problems": []])
        #expect(try shop.everything() == before, "it writes nothing")
    }

    @Test func `A warning is no problem to bundles verify`() async throws {
        let shop = try Shop(SampleCatalog.text(Self.words))
        try shop.write("", to: "unsold/1.0.0/100%.txt")
        let outcome = try await shop.run("verify")
        #expect(outcome.status == 0 && outcome.output.hasSuffix(", 0 problems\n"), "\(outcome)")
        let words = "/unsold/1.0.0/100%.txt: the name has a percent sign, as if it were encoded for a URL\n"
        #expect(outcome.error.hasPrefix("warning: ") && outcome.error.hasSuffix(words), "\(outcome)")
    }

    /// Both commands report everything that is wrong and end with 1; standard error has one line.
    @Test(arguments: ["list", "verify"])
    func `The bundles command reports everything that is wrong`(command: String) async throws {
        let shop = try Shop(
            SampleCatalog.text(Self.words + #", {"id": "x", "type": "consumable", "bundles": ["gone"]}"#))
        try shop.write("x", to: ".DS_Store")
        try shop.write("x", to: "hard-words/v2/words.txt")
        let problems = [
            "\(shop.path("content/.DS_Store")): hidden files are not published",
            "\(shop.path("content/hard-words/v2")): the folder's name is no semantic version, such as 1.0.0",
            "\(shop.path("products.json")): apps[0].products[2].bundles[0]: there is no bundle \"gone\"",
        ]
        let text = try await shop.run(command)
        #expect(text.status == 1 && text.error == "Error: \(problems[0]) (and 2 more)\n")
        let json = try await shop.run(command, "--json")
        #expect(json.status == 1 && json.error == text.error)
        guard command == "verify" else {
            #expect(text.output.split(separator: "\n").count == 3 && json.json.array.count == 3)
            return
        }
        let summary = "3 bundles, 3 versions, 4 files, 12 bytes, 3 problems"
        #expect(text.output == (problems + [summary, ""]).joined(separator: "\n"))
        #expect(json.json["problems"] == .array(problems.map { .string($0) }))
    }

    /// With a server's ledger the command knows what was published; without one it takes the folder as it is.
    @Test(arguments: ["list", "verify"])
    func `The bundles command reports files that were changed since a server published them`(
        command: String
    ) async throws {
        let shop = try Shop(SampleCatalog.text(Self.words))
        let database = shop.path("ledger.sqlite")
        let ledger = try SQLiteLedger.open(path: database, handlers: Server.standardHandlers)
        let content = try await FolderRepository(path: shop.path("content"), at: Date())
        try await PublicationDates(content, ledger, clock: { Date() }, logger: World.quiet).record()
        try ledger.close()
        try shop.write("TWO", to: "hard-words/1.9.0/pack.json")
        try FileManager.default.removeItem(atPath: shop.path("content/hard-words/1.9.0/en/words.txt"))
        #expect(try await shop.run(command).status == 0)
        let changed = try await shop.run(command, "--database", database)
        let problems = [
            "\(shop.path("content/hard-words/1.9.0/en/words.txt")): was published and is not there; put it back",
            """
            \(shop.path("content/hard-words/1.9.0/pack.json")): is not what was published; put it back, or publish it as \
            another version
            """,
        ]
        #expect(changed.status == 1 && changed.error == "Error: \(problems[0]) (and 1 more)\n", "\(changed)")
        guard command == "verify" else { return }
        let summary = "3 bundles, 3 versions, 4 files, 12 bytes, 2 problems"
        #expect(changed.output == (problems + [summary, ""]).joined(separator: "\n"))
    }

    @Test(arguments: ["list", "verify"])
    func `The bundles command reports an unreadable catalog with its path`(command: String) async throws {
        let shop = try Shop(SampleCatalog.text(#"{"id": "x", "type": "lootbox"}"#))
        let answer = try await shop.run(command, "--json")
        #expect(answer.status == 1 && answer.output == "")
        #expect(answer.error.hasPrefix("Error: \(shop.path("products.json")): apps[0].products[0].type: no handler"))
        #expect(answer.error.split(separator: "\n").count == 1)
    }

    @Test func `Wrong usage ends with 64, and help shows an example`() async throws {
        let shop = try Shop(SampleCatalog.text(""))
        #expect(try await shop.run("verify", "--jsno").status == 64)
        #expect(try await shop.run("polish").status == 64)
        for command in ["list", "verify"] {
            let help = try await shop.run(command, "--help")
            #expect(help.status == 0 && help.output.contains("Example: quartermaster bundles \(command) "))
        }
    }

    @Test func `The bundles command works beside a running server`() async throws {
        let shop = try Shop(SampleCatalog.text(Self.words))
        let server = try await ServerProcess(folder: shop.folder, environment: [:])
        try await server.start()
        #expect(try await shop.run("verify").status == 0)
        #expect(try await shop.run("list").status == 0)
        #expect(try await server.call(.GET, "/ready").status == 200)
        await server.terminate()
        #expect(try await server.exitStatus() == 0)
    }
}

/// A catalog and a content folder for one test, gone after it.
private final class Shop: Sendable {
    struct Outcome {
        var status: Int32
        var output: String
        var error: String

        var json: JSONValue { (try? JSONDecoder().decode(JSONValue.self, from: Data(output.utf8))) ?? .null }
    }

    let folder = FileManager.default.temporaryDirectory.appending(path: "bundles-\(UUID().uuidString)")

    init(_ catalog: String) throws {
        try write("one", to: "art/2.0.0/background.svg")
        try write("two", to: "hard-words/1.9.0/pack.json")
        try write("2words", to: "hard-words/1.9.0/en/words.txt")
        try write("", to: "unsold/1.0.0/empty")
        try Data(catalog.utf8).write(to: folder.appending(path: "products.json"))
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func path(_ relative: String) -> String { folder.appending(path: relative).path(percentEncoded: false) }

    func write(_ text: String, to relative: String) throws {
        let file = folder.appending(path: "content").appending(path: relative)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Every path in the folder, and what is there.
    func everything() throws -> [String: Data?] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        return Dictionary(uniqueKeysWithValues: names.map { ($0, FileManager.default.contents(atPath: path($0))) })
    }

    func run(_ arguments: String...) async throws -> Outcome {
        let process = Process()
        let (output, error) = (Pipe(), Pipe())
        process.executableURL = ServerProcess.executable
        process.arguments = ["bundles"] + arguments
        process.currentDirectoryURL = folder
        process.environment = [
            "QUARTERMASTER_PRODUCTS": path("products.json"), "QUARTERMASTER_CONTENT": path("content"),
        ]
        (process.standardOutput, process.standardError) = (output, error)
        try process.run()
        // Nothing here writes more than a pipe holds.
        try await poll("the command ends") { !process.isRunning }
        let texts = try [output, error].map {
            String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
        return Outcome(status: process.terminationStatus, output: texts[0], error: texts[1])
    }
}
