import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine

/// The list of bundles for administrators.
@Suite struct BundleListRouteTests {
    @Test func `Bundles are listed page by page`() async throws {
        let open = try String(contentsOfFile: Project.folder("products.json"), encoding: .utf8)
            .replacing(
                #""bundleID": "com.example.hangman","#,
                with: #""bundleID": "com.example.hangman", "openBundles": ["night-theme"],"#)
        try await World.run(products: open, environment: World.pagesOn) { world in
            let admin = try await world.newAdmin(.read, name: "bob")
            let all = try await world.call(.get, "/admin/v1/bundles", as: admin).json
            #expect(all["next"] == .null)
            let names = all["bundles"].array.compactMap { $0["bundle"].text }
            #expect(names == ["hard-words", "ios-words", "night-theme"], "\(all)")
            let hard = all["bundles"][0]
            #expect(hard["offered"] == "1.0.0" && hard["versions"] == 1 && hard["drafts"] == 0, "\(hard)")
            #expect(hard["bytes"] != .null && hard["openIn"] == [])
            let product = JSONValue.object([
                "app": .string(World.app), "product": .string("\(World.app).hardwords"),
            ])
            #expect(hard["products"].array.contains(product), "\(hard)")
            #expect(all["bundles"][2]["openIn"] == [.string(World.app)])
            var (paged, next): ([JSONValue], String?) = ([], "")
            while let after = next {
                let query = "limit=1" + (after.isEmpty ? "" : "&after=\(after)")
                let page = try await world.call(.get, "/admin/v1/bundles?\(query)", as: admin).json
                paged += page["bundles"].array
                next = page["next"].text
            }
            #expect(paged == all["bundles"].array)
            let between = try await world.call(.get, "/admin/v1/bundles?after=hz", as: admin).json
            #expect(between["bundles"].array.compactMap { $0["bundle"].text } == ["ios-words", "night-theme"])
            for query in ["limit=0", "limit=101", "after="] {
                #expect(try await world.call(.get, "/admin/v1/bundles?\(query)", as: admin).status == 400, "\(query)")
            }
            let alice = try await world.visitor(.read)
            let beyond = try await alice.get("/admin/bundles?after=zzz").html
            #expect(
                !beyond.contains("There is none yet.") && beyond.contains("<a href=\"/admin/bundles\">The first ones"))
        }
    }
}
