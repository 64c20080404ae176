import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine

/// Catalogs and manifests of ten thousand entries: more members than any other body may have.
@Suite struct LargeTextTests {
    private static let count = 10_000

    @Test func `A catalog of ten thousand products is served`() async throws {
        let products = (0..<Self.count).map { number in
            #"{"id": "p\#(number)", "type": "consumable", "credits": {"hints": \#(number + 1)}, "#
                + #""availableFrom": "2026-01-01T00:00:00Z", "metadata": {"a": 1, "b": {"c": "d"}, "e": [1, 2]}}"#
        }
        let catalog = #"{"apps": [{"bundleID": "\#(World.app)", "products": [\#(products.joined(separator: ","))]}]}"#
        try await World.run(products: catalog) { world in
            let list = try await world.call(.get, "/v1/apps/\(World.app)/products")
            #expect(list.status == 200 && list.json["productIDs"].array.count == Self.count)
            #expect(list.json["products"].array.last?["metadata"]["b"]["c"] == "d")
        }
    }

    @Test func `A manifest of ten thousand files is drafted`() async throws {
        try await World.runPublishing { world, admin, _ in
            let names = (0..<Self.count).map { "file-\($0).txt" }
            let files = Dictionary(uniqueKeysWithValues: names.map { ($0, "") })
            let manifest = World.versionManifest("2.0.0", files)
            let draft = try await world.call(.post, World.versionsPath, manifest, as: admin)
            #expect(draft.status == 201 && draft.json["files"].number == Self.count, "\(draft)")
            let again = try await world.call(.post, World.versionsPath, manifest, as: admin)
            #expect(again.status == 200, "the record of the draft is read")
        }
    }
}
