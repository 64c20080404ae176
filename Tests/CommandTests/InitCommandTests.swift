import Foundation
import InAppPurchase
import NIOHTTP1
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// `quartermaster init`, and what other commands say where there is no shop.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct InitCommandTests {
    private static let app = "com.example.my-words"

    /// A folder as `init` makes it, below that of the test.
    private static func newShop(in folder: LedgerFolder) async throws -> URL {
        let made = try await Program.run(["init", "shop", "--bundle-id", app], in: folder.folder)
        #expect(made.status == 0 && made.error.isEmpty, "\(made)")
        #expect(made.output.split(separator: "\n").count <= 4, "\(made)")
        #expect(made.output.hasSuffix("Next:\n  cd shop\n  quartermaster serve\n"), "\(made)")
        return folder.folder.appending(path: "shop")
    }

    @Test func `A new shop is complete, and every command in its folder finds it`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let shop = try await Self.newShop(in: folder)
        let checked = try await Program.run(["products", "check"], in: shop)
        #expect(checked.output.hasPrefix("2 products of ") && checked.error.isEmpty, "\(checked)")
        let listed = try await Program.run(["products", "list", "--json"], in: shop).json
        #expect(listed[0]["id"] == .string("\(Self.app).firstwords") && listed[0]["bundles"] == ["first-words"])
        #expect(listed[1]["id"] == .string("\(Self.app).tenhints") && listed[1]["credits"] == ["hints": 10])
        let verified = try await Program.run(["bundles", "verify"], in: shop)
        #expect(verified.status == 0 && verified.error.isEmpty, "\(verified)")
        let migrated = try await Program.run(["serve", "--migrate-only"], in: shop)
        #expect(migrated.output == "quartermaster.sqlite: the ledger is ready\n", "\(migrated)")
        let link = try await Program.run(["admin-token", "open", "--name", "me", "--role", "write"], in: shop)
        #expect(link.output.hasPrefix("http://127.0.0.1:8080/admin/open/"), "\(link)")
    }

    /// From `init` to the bytes of the pack, which are those of the folder.
    @Test func `A server delivers the pack of a new shop`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let shop = try await Self.newShop(in: folder)
        let server = try await ServerProcess(folder: shop, environment: [:])
        try await server.start()
        let player = try await server.newPlayer()
        let purchase = try await server.call(
            .POST, "/simulator/v1/purchases",
            [
                "bundleID": .string(Self.app), "productID": .string("\(Self.app).firstwords"),
                "type": "non-consumable", "appAccountToken": .string(player.account),
            ], simulator: true)
        let receipt = try #require(purchase.json["signedTransaction"].text, "\(purchase)")
        let sent = try await server.post(receipt, token: player.token)
        #expect(sent.json["status"] == "verified" && sent.json["finish"] == true, "\(sent)")
        let manifest = try await server.call(.GET, "/v1/bundles/first-words", token: player.token)
        let files = manifest.json["files"].array
        #expect(files.compactMap { $0["path"].text } == ["pack.json", "words.txt"], "\(manifest)")
        for file in files {
            let (url, path) = (try #require(file["url"].text), try #require(file["path"].text))
            let bytes = try Data(contentsOf: shop.appending(path: "content/first-words/1.0.0/\(path)"))
            #expect(try await server.call(.GET, url).bytes == bytes, "\(path)")
        }
        try await server.kill()
    }

    @Test func `A folder with something in it is left as it is`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try "mine".write(toFile: folder.path("notes"), atomically: true, encoding: .utf8)
        for place in [".", "notes"] {
            let refused = try await Program.run(["init", place, "--bundle-id", Self.app], in: folder.folder)
            let words = "there is something already; name an empty folder, or a new one"
            #expect(refused.status == 1 && refused.error == "Error: \(place): \(words)\n", "\(refused)")
        }
        #expect(try folder.names == ["notes"])
        #expect(try String(contentsOfFile: folder.path("notes"), encoding: .utf8) == "mine")
    }

    @Test func `An empty folder becomes a shop`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let made = try await Program.run(["init", ".", "--bundle-id", Self.app], in: folder.folder)
        #expect(made.status == 0 && made.output.hasSuffix("Next:\n  quartermaster serve\n"), "\(made)")
        #expect(try folder.names == ["README.md", "content", "products.json", "quartermaster.json"])
    }

    @Test(arguments: ["", "com.example.\"words\"", "com.example words", "com.example.wörter"])
    func `What cannot be a bundle ID is refused`(app: String) async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let refused = try await Program.run(["init", "shop", "--bundle-id", app], in: folder.folder)
        #expect(refused.status == 64 && refused.error.contains("--bundle-id: letters, digits"), "\(refused)")
        #expect(try folder.names == [])
    }

    static let commands = [
        ["serve", "--port", "0"], ["products", "list"], ["products", "check"], ["apps", "list"], ["bundles", "list"],
        ["products", "add", "--app", app, #"{"id": "x", "type": "consumable"}"#],
    ]

    @Test(arguments: commands) func `Where there is no shop, commands say how to make one`(
        command: [String]
    ) async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let place = try #require(realpath(folder.path(""), nil).map { String(cString: $0) })
        let outcome = try await Program.run(command, in: folder.folder)
        let words = "there is no shop here; quartermaster init <folder> --bundle-id … makes one"
        #expect(outcome.status == 1 && outcome.error == "Error: \(place)/products.json: \(words)\n", "\(outcome)")
        #expect(outcome.output.isEmpty)
        #expect(try folder.names == [], "nothing is made, so that init can follow")
    }

    /// To list what is sold, the content is not needed; to check it is.
    @Test func `Products and apps are listed without their content`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let shop = try await Self.newShop(in: folder)
        try FileManager.default.removeItem(at: shop.appending(path: "content"))
        let products = try await Program.run(["products", "list"], in: shop)
        #expect(products.status == 0 && products.output.contains("\(Self.app).firstwords"), "\(products)")
        let apps = try await Program.run(["apps", "list"], in: shop)
        #expect(apps.status == 0 && apps.output == "\(Self.app)\t-\t2\ttesters\n", "\(apps)")
        let checked = try await Program.run(["products", "check"], in: shop)
        #expect(checked.status == 1 && checked.error.contains("content: there is no such folder"), "\(checked)")
    }
}
