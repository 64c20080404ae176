import Content
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The members of a product list besides IDs and metadata: open bundles, contents, notice, lowest app version.
@Suite struct ProductListMemberTests {
    static func catalog(_ settings: String) -> String {
        """
        {"apps": [{"bundleID": "com.example.hangman", \(settings)
          "products": [
            {"id": "words", "type": "non-consumable", "bundles": ["hard-words", "ios-words"]},
            {"id": "hints", "type": "consumable", "credits": {"hints": 10}}]}]}
        """
    }

    static let settings = """
        "openBundles": ["night-theme"], "notice": "Grüße!\\nUpdate today.", "minimumAppVersion": "2.0",
        "startingCredits": {"hints": 3},
        """

    private static func topLevel(_ answer: Answer) -> JSONValue {
        guard case .object(var members) = answer.json else { return .null }
        for name in ["revision", "productIDs", "products"] { members[name] = nil }
        return .object(members)
    }

    @Test func `The product list has the settings of its app`() async throws {
        try await World.run(products: Self.catalog(Self.settings)) { world in
            var seen = CatalogWatcher.Seen()
            let reported: JSONValue = [
                "openBundles": ["night-theme"], "notice": "Grüße!\nUpdate today.", "minimumAppVersion": "2.0",
                "startingCredits": ["hints": 3],
                "contents": [["bundle": "night-theme", "version": "1.0.0", "size": 53_451]],
            ]
            let first = try await world.productList()
            #expect(Self.topLevel(first) == reported)
            #expect(Self.topLevel(try await world.productList("?appVersion=1")) == reported)
            try world.write(Self.catalog(Self.settings.replacing("today", with: "now")))
            try await world.lookAtCatalog(&seen)
            let second = try await world.productList(headers: [.ifNoneMatch: first.headers[.eTag] ?? ""])
            #expect(second.status == 200 && second.json["notice"] == "Grüße!\nUpdate now.")
            try world.write(Self.catalog(""))
            try await world.lookAtCatalog(&seen)
            #expect(Self.topLevel(try await world.productList()) == [:])
        }
    }

    /// Editing a product leaves the settings of its app as they are, and is no edit of them.
    @Test func `The settings of an app survive an edit, and changes of them are audited`() async throws {
        try await World.run(products: Self.catalog(Self.settings)) { world in
            let admin = try await world.newAdmin()
            let before = Self.topLevel(try await world.productList())
            #expect(try await world.put("more", #"{"type": "consumable"}"#, as: admin).status == 201)
            #expect(try await world.remove("hints", as: admin).status == 204)
            #expect(try world.catalogText.contains(Self.settings))
            #expect(Self.topLevel(try await world.productList()) == before)
            var seen = CatalogWatcher.Seen()
            let edited = Self.settings.replacing("2.0", with: "2.1").replacing(
                #""openBundles": ["night-theme"],"#, with: "")
            try world.write(try world.catalogText.replacing(Self.settings, with: edited))
            try await world.lookAtCatalog(&seen)
            let rows = try await world.catalogRows()
            try #require(rows.map(\.kind) == ["product.added", "product.removed", "catalog.replaced"])
            let content = rows[2].json
            #expect(content["settings"] == [World.app: ["minimumAppVersion", "openBundles"]])
            #expect(content["apps"] == [.string(World.app)])
            #expect(content["added"] == [] && content["changed"] == [] && content["removed"] == [])
        }
    }

    /// An account that bought nothing may download what is open to all, as long as it is open.
    @Test func `Open bundles are for every account`() async throws {
        try await World.run(products: Self.catalog(Self.settings)) { world in
            let player = try await world.newPlayer()
            let list = try await world.call(.get, "/v1/bundles", as: player).json["bundles"].array
            #expect(list.map { $0["bundle"] } == ["night-theme"])
            let answer = try await world.manifest(of: "night-theme", as: player)
            #expect(answer.status == 200 && answer.json["fresh"].text != nil && answer.json["delivery"].text != nil)
            let link = try #require(answer.json["files"][0]["url"].text)
            #expect(try await world.call(.get, link).status == 200)
            let refused = try await world.manifest(of: "hard-words", as: player)
            #expect(refused.status == 403 && refused.json["reason"] == "notPurchased")
            #expect(try await world.manifest(of: "night-theme", "?version=9.9.9", as: player).status == 404)
            var seen = CatalogWatcher.Seen()
            try world.write(Self.catalog(""))
            try await world.lookAtCatalog(&seen)
            #expect(try await world.manifest(of: "night-theme", as: player).json["code"] == "not_entitled")
            #expect(try await world.call(.get, "/v1/bundles", as: player).json["bundles"] == [])
        }
    }

    /// The list is made anew when a version is published, promoted or yanked, and only then.
    @Test func `The contents in a list are the newest versions for the app`() async throws {
        try await ContentFolder.serve("1.0.0", products: Self.catalog("")) { world, content in
            let publisher = ContentPublisher(content: .folder(content.folder.path), trail: world.ledger)
            let act = PublishingAct(by: .command(user: "root"), at: world.clock.now)
            func version(_ text: String) throws -> SemanticVersion { try #require(SemanticVersion(text)) }
            func publish(_ text: String, minimum: String? = nil, _ channel: ReleaseChannel? = nil) async throws {
                let plan = VersionPlan(
                    bundle: "hard-words", version: try version(text),
                    minimumAppVersion: minimum.flatMap { SemanticVersion($0) }, channel: channel)
                _ = try await publisher.publish(content.folder.appending(path: "night-theme/1.0.0").path, as: plan, act)
            }
            let steps: [(act: () async throws -> Void, all: String?, old: String?)] = [
                ({}, "1.0.0", "1.0.0"),
                ({ try await publish("1.1.0", .beta) }, "1.0.0", "1.0.0"),
                ({ _ = try await publisher.promote(try version("1.1.0"), of: "hard-words", act) }, "1.1.0", "1.1.0"),
                ({ try await publish("2.0.0", minimum: "3.0.0") }, "2.0.0", "1.1.0"),
                ({ _ = try await publisher.yank(try version("1.1.0"), of: "hard-words", act) }, "2.0.0", "1.0.0"),
                ({ _ = try await publisher.yank(try version("1.0.0"), of: "hard-words", act) }, "2.0.0", nil),
                ({ _ = try await publisher.yank(try version("2.0.0"), of: "hard-words", act) }, nil, nil),
            ]
            var (tag, last) = ("", JSONValue.null)
            for (number, step) in steps.enumerated() {
                try await step.act()
                try await content.reload(in: world)
                func contents(_ answer: Answer) -> JSONValue { answer.json["products"][0]["contents"] }
                let all = try await world.productList()
                let old = contents(try await world.productList("?appVersion=2.9"))
                #expect(contents(all)[0]["version"].text == (step.all ?? "1.0.0"), "\(number)")
                #expect(contents(all).array.count == (step.all == nil ? 1 : 2), "\(number)")
                #expect(old.array.map { $0["bundle"].text } == (step.old == nil ? [] : ["hard-words"]) + ["ios-words"])
                #expect(step.old == nil || old[0]["version"].text == step.old, "\(number): \(old)")
                #expect(all.json["products"][1]["contents"] == .null)
                #expect((all.headers[.eTag] == tag) == (contents(all) == last), "\(number)")
                let again = try await world.productList(headers: [.ifNoneMatch: all.headers[.eTag] ?? ""])
                #expect(again.status == 304, "\(number)")
                (tag, last) = (all.headers[.eTag] ?? "", contents(all))
            }
        }
    }

    /// Members of a stored manifest, and what the lists say then.
    private static let added: [(text: String, members: [String: JSONValue])] = [
        ("", [:]), (#""essential":true,"#, ["essential": true]),
        (#""languages":["en","pt-BR"],"#, ["languages": ["en", "pt-BR"]]),
        (#""essential":true,"languages":["de"],"#, ["essential": true, "languages": ["de"]]),
    ]

    /// Nothing else changes from one step to the next.
    @Test func `Lists tell what is essential, and for which languages it is`() async throws {
        try await ContentFolder.serve("1.0.0", products: Self.catalog(Self.settings)) { world, content in
            let (player, bundles) = (try await world.newPlayer(), ["hard-words", "night-theme"])
            for bundle in bundles { try await content.publish("1.1.0", of: BundleName(stored: bundle), in: world) }
            let records = bundles.map { content.folder.appending(path: ".store/bundles/\($0)/1.1.0.json") }
            let plain = try records.map { try String(contentsOf: $0, encoding: .utf8) }
            var tags: Set<String> = []
            for (text, members) in Self.added {
                for (record, old) in zip(records, plain) {
                    try Data(old.replacing("\"files\"", with: text + "\"files\"").utf8).write(to: record)
                }
                try await content.reload(in: world)
                let (hard, theme) = (Self.content("hard-words", members), Self.content("night-theme", members))
                for query in ["", "?appVersion=1"] {
                    let list = try await world.productList(query)
                    #expect(list.json["products"][0]["contents"][0] == hard, "\(list.json)")
                    #expect(list.json["contents"] == [theme], "\(list.json)")
                    #expect(tags.insert(query + (list.headers[.eTag] ?? "")).inserted)
                }
                let bundle = try await world.call(.get, "/v1/bundles", as: player).json["bundles"][0]
                for name in ["essential", "languages"] { #expect(bundle[name] == members[name] ?? .null) }
            }
            try await content.publish("2.0.0", of: "night-theme", minimum: "3.0.0", in: world)
            for (query, version) in [("", "2.0.0"), ("?appVersion=3", "2.0.0"), ("?appVersion=2.9", "1.1.0")] {
                #expect(try await world.productList(query).json["contents"][0]["version"].text == version, "\(query)")
            }
        }
    }

    private static func content(_ bundle: String, _ members: [String: JSONValue]) -> JSONValue {
        .object(["bundle": .string(bundle), "version": "1.1.0", "size": 17].merging(members) { $1 })
    }

    @Test func `The sizes in a list are those of the manifests`() async throws {
        try await World.run(products: Self.catalog("")) { world in
            let player = try await world.newPlayer()
            var seen = CatalogWatcher.Seen()
            let contents = try await world.productList().json["products"][0]["contents"]
            #expect(contents.array.count == 2)
            try world.write(Self.catalog(#""openBundles": ["hard-words", "ios-words"],"#))
            try await world.lookAtCatalog(&seen)
            for content in contents.array {
                let manifest = try await world.manifest(of: content["bundle"].text ?? "", as: player).json
                let sizes = manifest["files"].array.compactMap { $0["size"].number }
                #expect(content["size"].number == sizes.reduce(0, +) && content["version"] == manifest["version"])
            }
        }
    }

    @Test func `An open bundle that does not exist is refused`() {
        let text = Self.catalog(#""openBundles": ["night-theme", "gone"],"#)
        let error = #expect(throws: CatalogError.self) {
            try CatalogFile(Data(text.utf8), bundles: CatalogEditTests.bundles, handlers: Server.standardHandlers)
        }
        #expect(error?.description == "apps[0].openBundles[1]: there is no bundle \"gone\"")
    }
}

extension ContentFolder {
    /// Publishes the files of `night-theme` 1.0.0 as a version.
    fileprivate func publish(
        _ version: String, of bundle: BundleName, minimum: String? = nil, in world: World
    ) async throws {
        let plan = VersionPlan(
            bundle: bundle, version: try #require(SemanticVersion(version)),
            minimumAppVersion: minimum.flatMap { SemanticVersion($0) })
        _ = try await ContentPublisher(content: .folder(folder.path), trail: world.ledger).publish(
            folder.appending(path: "night-theme/1.0.0").path, as: plan,
            PublishingAct(by: .command(user: "root"), at: world.clock.now))
        try await reload(in: world)
    }
}
