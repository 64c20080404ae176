import Foundation
import InAppPurchase
import NIOHTTP1
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// Commands that ask the store, beside a server that is serving.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct StoreCommandTests {
    typealias Check = (ServerProcess, LedgerFolder, _ settings: [String: String]) async throws -> Void

    private static func besideServer(_ check: Check) async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try Project.products.write(toFile: folder.path("products.json"), atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(
            at: folder.folder.appending(path: "content"), withDestinationURL: URL(filePath: Project.folder("content")))
        let server = try await ServerProcess(folder: folder.folder, environment: [:])
        try await server.start()
        do {
            try await check(server, folder, settings(server, folder))
        } catch {
            try await server.kill()
            throw error
        }
        try await server.kill()
    }

    private static func settings(_ server: ServerProcess, _ folder: LedgerFolder) -> [String: String] {
        [
            "QUARTERMASTER_PRODUCTS": folder.path("products.json"), "QUARTERMASTER_CONFIG": "",
            "QUARTERMASTER_CONTENT": folder.path("content"), "QUARTERMASTER_DATABASE": folder.database,
            // No `simulator`, which these commands have no flag for: the ledger says it.
            "QUARTERMASTER_SIMULATOR_PORT": "\(server.simulatorPort)",
            "QUARTERMASTER_PORT": "\(server.port)", "QUARTERMASTER_LOG_LEVEL": "critical",
        ]
    }

    /// `quartermaster notifications test`
    @Test func `The command says whether a test notification came`() async throws {
        try await Self.besideServer { server, folder, settings in try await Self.check(server, folder, settings) }
    }

    private static func check(
        _ server: ServerProcess, _ folder: LedgerFolder, _ settings: [String: String]
    ) async throws {
        let dry = try await Program.run(
            ["notifications", "test", "--app", World.app, "--reason", "ticket 7", "--dry-run"], environment: settings)
        #expect(dry.status == 0 && dry.output.contains("before: ") && dry.output.contains("requestedAt none"), "\(dry)")
        let asked = {
            try await Program.run(["audit", "export"], environment: settings).output.contains("testRequested")
        }
        #expect(try await !asked(), "a dry run asked")
        let came = try await Program.run(
            ["notifications", "test", "--app", World.app, "--reason", "ticket 7"], environment: settings)
        let trail = try await Program.run(["audit", "export"], environment: settings).output
        #expect(trail.contains("testRequested") && trail.contains("ticket 7"))
        #expect(came.status == 0 && came.output.hasPrefix("the test notification arrived after "), "\(came)")
        let url: JSONValue = ["url": "http://127.0.0.1:9/", "version": 2]
        let set = try await server.call(.PUT, "/simulator/v1/notification-url", url, simulator: true)
        #expect(set.status < 300)
        let lost = try await Program.run(
            [
                "notifications", "test", "--app", World.app, "--environment", "Sandbox", "--wait", "2", "--json",
                "--reason", "ticket 7",
            ], environment: settings)
        #expect(lost.status == 1 && lost.error.contains("did not arrive within 2 seconds"), "\(lost)")
        #expect(lost.json["environment"] == "Sandbox" && lost.json["arrivedAt"] == .null, "\(lost)")
        let unexplained = try await Program.run(["notifications", "test", "--app", World.app], environment: settings)
        #expect(unexplained.status == 64 && unexplained.error.contains("--reason"), "\(unexplained)")
        let unknown = try await Program.run(
            ["notifications", "test", "--app", "com.example.go", "--reason", "ticket 7"], environment: settings)
        #expect(
            unknown.status == 1 && unknown.error.contains("Unknown app com.example.go; the catalog has \(World.app)"),
            "\(unknown)")
        #expect(
            try await Program.run(
                ["notifications", "test", "--app", World.app, "--wait", "0", "--reason", "r"], environment: settings
            ).status == 64)
    }

    /// `quartermaster support extend`: a key names the extension, also after the store reported the new date.
    @Test func `The command extends a renewal date once per key`() async throws {
        try await Self.besideServer { server, _, settings in
            let player = try await server.newPlayer()
            let order: JSONValue = [
                "bundleID": .string(World.app), "productID": .string("\(World.app).club.monthly"),
                "type": "auto-renewable", "period": "P30D", "appAccountToken": .string(player.account),
            ]
            let bought = try await server.call(.POST, "/simulator/v1/purchases", order, simulator: true).json
            let receipt = try #require(bought["signedTransaction"].text, "\(bought)")
            #expect(try await server.post(receipt, token: player.token).status == 200)
            let id = try #require(bought["originalTransactionID"].text)
            func extend(_ days: Int, _ more: String...) async throws -> JSONValue {
                let arguments = ["support", "extend", id, "--days", "\(days)", "--reason", "ticket 7", "--json"]
                let outcome = try await Program.run(arguments + more, environment: settings)
                #expect(outcome.status == 0, "\(outcome)")
                return outcome.json
            }
            let dry = try await extend(7, "--key", "a", "--dry-run")
            #expect(dry["after"]["expirationDate"].text != nil && dry["dryRun"] == true, "\(dry)")
            let first = try await extend(7, "--key", "a")
            #expect(first["expirationDate"] == dry["after"]["expirationDate"], "\(first)")
            #expect(try await extend(7, "--key", "a") == first)
            let trail = try await Program.run(["audit", "export"], environment: settings).output
            #expect(trail.matches(of: /renewal\.extended/).count == 1 && trail.contains("ticket 7"))
            let wrong = try await Program.run(
                ["support", "extend", id, "--days", "7", "--reason", "r", "--key", ""], environment: settings)
            #expect(wrong.status == 64, "\(wrong)")
        }
    }

    /// `quartermaster support extend-all`, `products extension` and `support fetch-app-transaction`.
    @Test func `The commands extend all subscribers, and fetch an app transaction`() async throws {
        try await Self.besideServer { server, _, settings in
            let player = try await server.newPlayer()
            let product = "\(World.app).club.monthly"
            let order: JSONValue = [
                "bundleID": .string(World.app), "productID": .string(product), "type": "auto-renewable",
                "period": "P30D", "appAccountToken": .string(player.account),
            ]
            let bought = try await server.call(.POST, "/simulator/v1/purchases", order, simulator: true).json
            let receipt = try #require(bought["signedTransaction"].text, "\(bought)")
            #expect(try await server.post(receipt, token: player.token).status == 200)
            func run(_ arguments: String...) async throws -> JSONValue {
                let outcome = try await Program.run(arguments + ["--json"], environment: settings)
                #expect(outcome.status == 0, "\(outcome)")
                return outcome.json
            }
            let none = try await Program.run(["products", "extension", product], environment: settings)
            #expect(none.status == 1 && none.error.contains("no extension of \(product)"), "\(none)")
            let all = ["support", "extend-all", product, "--days", "3", "--key", "a", "--reason", "outage 7", "--json"]
            let dry = try await Program.run(all + ["--dry-run"], environment: settings)
            #expect(dry.json["after"] == ["days": 3, "subscribers": 1], "\(dry)")
            let asked = try await Program.run(all, environment: settings)
            #expect(asked.status == 0 && asked.json["days"] == 3, "\(asked)")
            let progress = try await run("products", "extension", product)
            #expect(progress["request"] == asked.json["request"], "\(progress)")
            #expect(progress["progress"]["complete"] == true && progress["progress"]["extended"] == 1, "\(progress)")
            let id = try #require(bought["originalTransactionID"].text)
            let fetched = try await run("support", "fetch-app-transaction", id, "--reason", "ticket 7")
            #expect(fetched["account"].text == player.account, "\(fetched)")
            let trail = try await Program.run(["audit", "export"], environment: settings).output
            #expect(trail.contains("renewals.extended") && trail.contains("appTransaction.fetched"))
        }
    }
}
