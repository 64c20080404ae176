import Content
import Foundation
import HTTPTypes
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

/// A content folder of a test's own, with one bundle in it.
struct ContentFolder: Sendable {
    let folder: URL

    /// Runs a test on a server with it; its versions were first seen when the server started.
    static func serve(
        _ versions: String..., bundle: BundleName = "hard-words", products: String? = nil,
        _ test: @escaping @Sendable (World, ContentFolder) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let content = ContentFolder(folder: folder)
        for other in CatalogEditTests.bundles where other != bundle { try content.write("1.0.0", of: other) }
        for version in versions { try content.write(version, of: bundle) }
        try await World.run(products: products, environment: ["QUARTERMASTER_CONTENT": folder.path]) { world in
            try await content.reload(in: world)
            try await test(world, content)
        }
    }

    func write(_ version: String, of bundle: BundleName) throws {
        let path = folder.appending(path: "\(bundle)/\(version)")
        try FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        try Data("\(bundle) \(version)".utf8).write(to: path.appending(path: "words.txt"))
    }

    /// The work of a running server's services every two seconds.
    func reload(in world: World) async throws {
        let services = world.assembly.services
        let watcher = services.compactMap { $0 as? CatalogWatcher }.first
        _ = await watcher?.content.refresh(at: world.clock.now)
        try await services.compactMap { $0 as? PublicationDates }.first?.record()
    }
}

/// The version that a player gets.
@Suite struct VersionRouteTests {
    @Test func `Beta versions are for accounts that an administrator named`() async throws {
        try await ContentFolder.serve("1.0.0", "1.1.0-beta.1") { world, _ in
            let (admin, keys) = (try await world.newAdmin(), try await world.call(.get, "/v1/keys").json)
            let player = try await world.buyer(of: "hardwords")
            func version(_ query: String = "") async throws -> String? {
                try await world.manifest(of: "hard-words", query, as: player).json["version"].text
            }
            #expect(try await version() == "1.0.0")
            let refused = try await world.manifest(of: "hard-words", "?version=1.1.0-beta.1", as: player)
            #expect(refused.status == 404 && refused.json["code"] == "unknown_bundle")
            let added = try await world.act("beta", .put, on: player, as: admin)
            #expect(added.json == ["account": .string(player.account), "betaSince": .string(World.start.rfc3339)])
            #expect(try await version() == "1.1.0-beta.1")
            #expect(try await version("?version=1.0.0") == "1.0.0")
            let fresh = try await world.manifest(of: "hard-words", as: player).json["fresh"].text
            let word = try #require(SignedMessage(fresh, keys: keys)).members
            #expect(word["version"] == "1.1.0-beta.1" && word["channel"] == "beta" && word["appVersion"] == .null)
            let list = try await world.call(.get, "/v1/bundles", as: player).json
            #expect(
                list == [
                    "bundles": [
                        [
                            "bundle": "hard-words", "version": "1.1.0-beta.1", "versions": ["1.0.0", "1.1.0-beta.1"],
                            "size": 23, "publishedAt": .string(World.start.rfc3339),
                        ]
                    ]
                ])
            let report = try await world.call(.get, "/admin/v1/accounts/\(player.account)", as: admin).json
            #expect(report["betaSince"].text == World.start.rfc3339)
            let removed = try await world.act("beta", .delete, on: player, as: admin)
            #expect(removed.json == ["account": .string(player.account)])
            #expect(try await version() == "1.0.0")
        }
    }

    @Test func `The app's version decides which content version it gets`() async throws {
        try await ContentFolder.serve("1.0.0") { world, content in
            let publisher = ContentPublisher(content: .folder(content.folder.path), trail: world.ledger)
            let files = content.folder.appending(path: "night-theme/1.0.0").path
            let act = PublishingAct(by: .command(user: "root"), at: world.clock.now)
            let plan = VersionPlan(
                bundle: "hard-words", version: try #require(SemanticVersion("2.0.0")),
                minimumAppVersion: SemanticVersion("3.1.0"))
            _ = try await publisher.publish(files, as: plan, act)
            try await content.reload(in: world)
            let (player, keys) = (try await world.buyer(of: "hardwords"), try await world.call(.get, "/v1/keys").json)
            for (query, expected) in [
                ("", "2.0.0"), ("?appVersion=3", "1.0.0"), ("?appVersion=3.1", "2.0.0"), ("?appVersion=x", "1.0.0"),
                ("?appVersion=3&version=2.0.0", "2.0.0"),
            ] {
                let answer = try await world.manifest(of: "hard-words", query, as: player).json
                #expect(answer["version"].text == expected, "\(query)")
            }
            let answer = try await world.manifest(of: "hard-words", "?appVersion=3.1", as: player).json
            let signed = try #require(SignedMessage(answer["signed"].text, keys: keys)).members
            #expect(signed["minimumAppVersion"] == "3.1.0" && signed["previous"] == ["1.0.0"])
            #expect(SignedMessage(answer["fresh"].text, keys: keys)?.members["appVersion"] == "3.1")
            let long = "?appVersion=" + String(repeating: "1", count: 65)
            #expect(try await world.manifest(of: "hard-words", long, as: player).status == 400)
            _ = try await publisher.yank(try #require(SemanticVersion("1.0.0")), of: "hard-words", act)
            try await content.reload(in: world)
            let none = try await world.manifest(of: "hard-words", "?appVersion=3", as: player)
            #expect(none.status == 404 && none.json["code"] == "no_fitting_version")
        }
    }

    /// On the beta channel until it is promoted.
    @Test func `A promoted beta is offered to everybody`() async throws {
        try await ContentFolder.serve("1.0.0") { world, content in
            let publisher = ContentPublisher(content: .folder(content.folder.path), trail: world.ledger)
            let version = try #require(SemanticVersion("1.1.0"))
            _ = try await publisher.publish(
                content.folder.appending(path: "night-theme/1.0.0").path,
                as: VersionPlan(bundle: "hard-words", version: version, channel: .beta),
                PublishingAct(by: .command(user: "root"), at: world.clock.now))
            try await content.reload(in: world)
            let (player, admin) = (try await world.buyer(of: "hardwords"), try await world.newAdmin())
            #expect(try await world.manifest(of: "hard-words", as: player).json["version"] == "1.0.0")
            let path = "/admin/v1/bundles/hard-words/versions"
            #expect(try await world.call(.get, path, as: admin).json["versions"][1]["channel"] == "beta")
            for _ in 0..<2 {
                let promoted = try await world.call(.post, path + "/1.1.0/promote", as: admin)
                #expect(promoted.status == 200 && promoted.json["channel"] == "stable")
            }
            #expect(try await world.manifest(of: "hard-words", as: player).json["version"] == "1.1.0")
            let rows = try await world.ledger.auditRows(after: 0, limit: 999)
            #expect(rows.filter { $0.kind == "bundle.promoted" }.map(\.actor) == ["admin:alice"])
        }
    }
}

/// After the end of a subscription.
@Suite struct KeptVersionTests {
    static let products = Project.products.replacing(
        #""type": "non-renewing", "#, with: #""type": "non-renewing", "afterExpiry": "keep", "#)

    @Test func `Versions published during a subscription stay open after it`() async throws {
        let month: TimeInterval = 31 * 86_400
        try await ContentFolder.serve("1.0.0", bundle: "night-theme", products: Self.products) { world, content in
            world.clock.advance(by: 60)
            let player = try await world.buyer(of: "nighttheme.month", "non-renewing")
            world.clock.advance(by: month / 2)
            try content.write("1.1.0", of: "night-theme")
            try await content.reload(in: world)
            func answer(_ query: String = "") async throws -> JSONValue {
                try await world.manifest(of: "night-theme", query, as: player).json
            }
            #expect(try await answer()["version"] == "1.1.0")
            #expect(try await answer("?version=1.0.0")["version"] == "1.0.0")
            #expect(try await world.entitlement(to: "nighttheme.month", of: player)["keeps"] == .null)
            world.clock.advance(by: month)
            try content.write("1.2.0", of: "night-theme")
            try await content.reload(in: world)
            let entitlement = try await world.entitlement(to: "nighttheme.month", of: player)
            #expect(entitlement["access"] == "denied" && entitlement["reason"] == "expired")
            #expect(entitlement["keeps"] == true)
            let kept = try await answer()
            #expect(kept["version"] == "1.1.0" && kept["signed"].text != nil && kept["fresh"] == .null)
            let url = try #require(kept["files"][0]["url"].text)
            #expect(try await world.call(.get, url).status == 200)
            // The newest version when it began.
            #expect(try await answer("?version=1.0.0")["version"] == "1.0.0")
            let refused = try await world.manifest(of: "night-theme", "?version=1.2.0", as: player)
            #expect(refused.status == 403 && refused.json["reason"] == "expired")
            let list = try await world.call(.get, "/v1/bundles", as: player).json
            let published = World.start + 60 + month / 2
            let bundle: JSONValue = [
                "bundle": "night-theme", "version": "1.1.0", "versions": ["1.0.0", "1.1.0"], "size": 17,
                "publishedAt": .string(published.rfc3339),
            ]
            #expect(list == ["bundles": [bundle]])
            let bought = try await world.buy("nighttheme.month", "non-renewing")
            _ = try await world.post(bought.signedTransaction, as: player)
            #expect(try await answer()["version"] == "1.2.0")
        }
    }

    /// Somebody who was offered nothing while the subscription ran has nothing left of it.
    @Test func `An ended subscription shows 'keeps' only if there is something to read`() async throws {
        let products = Self.products
        try await ContentFolder.serve("1.0.0-beta.1", bundle: "night-theme", products: products) { world, content in
            let admin = try await world.newAdmin()
            let player = try await world.buyer(of: "nighttheme.month", "non-renewing")
            world.clock.advance(by: 40 * 86_400)
            try content.write("1.1.0", of: "night-theme")
            try await content.reload(in: world)
            let entitlement = try await world.entitlement(to: "nighttheme.month", of: player)
            #expect(entitlement["access"] == "denied" && entitlement["keeps"] == .null)
            let bundles = try await world.call(.get, "/v1/bundles", as: player).json
            #expect(bundles == ["bundles": []])
            _ = try await world.act("beta", .put, on: player, as: admin)
            #expect(try await world.entitlement(to: "nighttheme.month", of: player)["keeps"] == true)
        }
    }

    /// A restart does not make old versions new.
    @Test func `The first sight of a version is recorded`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: [])
        let content = try await FolderRepository(path: Project.folder("content"), at: World.start)
        func dates(at date: Date) async throws -> PublicationDates {
            try await PublicationDates(content, ledger, clock: { date }, logger: World.quiet)
        }
        func date(_ dates: PublicationDates, at now: Date) async throws -> Date? {
            try await dates.records(of: "hard-words", at: now).first?.publishedAt
        }
        let first = try await dates(at: World.start)
        #expect(try await date(first, at: World.start + 9) == World.start + 9)
        try await first.record()
        #expect(try await date(first, at: World.start + 9) == World.start)
        let later = try await dates(at: World.start + 60)
        try await later.record()
        #expect(try await date(later, at: World.start + 99) == World.start)
    }
}
