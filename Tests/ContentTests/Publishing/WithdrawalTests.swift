import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import Content

/// Drafts, versions that are yanked, and what is left of either.
@Suite struct WithdrawalTests {
    let store: TestStore
    let (one, two): (SemanticVersion, SemanticVersion)

    init() throws {
        store = try TestStore()
        one = try #require(SemanticVersion("1.0.0"))
        two = try #require(SemanticVersion("2.0.0"))
    }

    private func kinds() async throws -> [String] { try await store.trail().map(\.kind) }

    @Test(arguments: [false, true]) func `A yanked version is readable and not offered`(isByHand: Bool) async throws {
        if isByHand {
            try store.content.write("one", to: "words/1.0.0/words.txt")
            try store.content.write("two", to: "words/2.0.0/words.txt")
        } else {
            try await store.publish("1.0.0", ["words.txt": "one"])
            try await store.publish("2.0.0", ["words.txt": "two"])
        }
        #expect(try await store.publisher.yank(two, of: "words", TestStore.act).isChanged)
        #expect(try await !store.publisher.yank(two, of: "words", TestStore.act).isChanged)
        #expect(try await store.newest() == "1.0.0")
        #expect(try await store.served("2.0.0") == ["words.txt": "two"])
        let server = try await store.content.store()
        #expect(server.records(of: "words").map(\.state) == [.published, .yanked])
        // Its number is used up, and it does not come back by being published again.
        await #expect(throws: PublishRefusal.notNewer(than: two)) {
            try await store.publish("1.5.0", ["words.txt": "new"])
        }
        await #expect(throws: PublishRefusal.state(.yanked)) { try await store.publish("2.0.0", ["words.txt": "two"]) }
        #expect(try await store.publisher.restore(two, of: "words", TestStore.act).isChanged)
        #expect(try await !store.publisher.restore(two, of: "words", TestStore.act).isChanged)
        #expect(try await store.newest() == "2.0.0")
        #expect(try await kinds().suffix(2) == ["bundle.yanked", "bundle.restored"])
        await #expect(throws: PublishRefusal.unknownVersion) {
            try await store.publisher.yank(#require(SemanticVersion("3.0.0")), of: "words", TestStore.act)
        }
    }

    @Test func `A bundle without an offered version is still known`() async throws {
        try await store.publish("1.0.0", ["words.txt": "one"])
        _ = try await store.publisher.yank(one, of: "words", TestStore.act)
        let server = try await store.content.store()
        #expect(server.bundles() == ["words"] && server.manifest(of: "words", version: nil) == nil)
    }

    @Test func `A draft is neither offered nor readable`() async throws {
        let manifest = try store.manifest("1.0.0", ["words.txt": "one", "b": "one", "c": "two"])
        let draft = try await store.publisher.draft(manifest, isPatch: false, TestStore.act)
        #expect(draft.isChanged && draft.record.state == .draft)
        #expect(draft.missing == [TestStore.sha256("one"), TestStore.sha256("two")])
        let server = try await store.content.store()
        #expect(server.bundles() == [] && server.manifest(of: "words", version: one) == nil)
        #expect(server.records(of: "words").map(\.state) == [.draft])
        #expect(
            server.size(ofNamed: TestStore.sha256("one")) == 3 && server.size(ofNamed: TestStore.sha256("x")) == nil)
        #expect(try await !store.publisher.draft(manifest, isPatch: false, TestStore.act).isChanged)
        await #expect(throws: PublishRefusal.otherVersion(.draft)) {
            try await store.publisher.draft(store.manifest("1.0.0", ["a": "a"]), isPatch: false, TestStore.act)
        }
        await #expect(throws: PublishRefusal.missing(draft.missing)) {
            try await store.publisher.publish(one, of: "words", TestStore.act)
        }
        for act in [store.publisher.yank, store.publisher.restore] {
            await #expect(throws: PublishRefusal.state(.draft)) { try await act(one, "words", TestStore.act) }
        }
        try await store.publisher.discard(one, of: "words", TestStore.act)
        await #expect(throws: PublishRefusal.unknownVersion) {
            try await store.publisher.discard(one, of: "words", TestStore.act)
        }
        #expect(try store.stored("bundles") == [])
        #expect(try await kinds() == ["bundle.drafted", "bundle.discarded"])
    }

    @Test func `A draft is published when its files are there`() async throws {
        try await store.publish("1.0.0", ["words.txt": "one"])
        let manifest = try store.manifest("2.0.0", ["words.txt": "one", "new.txt": "two"])
        #expect(
            try await store.publisher.draft(manifest, isPatch: false, TestStore.act).missing
                == [TestStore.sha256("two")])
        // The same version from a folder completes it.
        try await store.publish("2.0.0", ["words.txt": "one", "new.txt": "two"])
        #expect(try await !store.publisher.publish(two, of: "words", TestStore.act).isChanged)
        #expect(try await store.publisher.draft(manifest, isPatch: false, TestStore.act).record.state == .published)
        #expect(try await store.newest() == "2.0.0")
    }

    @Test func `A draft that was overtaken is refused, unless it is a patch`() async throws {
        try await store.publish("1.0.0", ["words.txt": "one"])
        let manifest = try store.manifest("1.0.1", ["words.txt": "one"])
        _ = try await store.publisher.draft(manifest, isPatch: false, TestStore.act)
        try await store.publish("2.0.0", ["words.txt": "two"])
        let patch = manifest.version
        await #expect(throws: PublishRefusal.notNewer(than: two)) {
            try await store.publisher.publish(patch, of: "words", TestStore.act)
        }
        #expect(try await store.publisher.draft(manifest, isPatch: true, TestStore.act).isChanged)
        #expect(try await store.publisher.publish(patch, of: "words", TestStore.act).isChanged)
        #expect(try await store.newest() == "2.0.0")
        #expect(try await store.served("1.0.1") == ["words.txt": "one"])
    }

    @Test func `Collecting removes what no version names after a grace period`() async throws {
        #expect(try await store.collector.collect(at: TemporaryFolder.later) == ContentCollector.Findings())
        try await store.publish("1.0.0", ["words.txt": "one"])
        _ = try await store.publisher.yank(one, of: "words", TestStore.act)
        let draft = try store.manifest("2.0.0", ["words.txt": "two!!"])
        _ = try await store.publisher.draft(draft, isPatch: false, TestStore.act)
        let kept = try store.stored("objects")
        let orphan = TestStore.sha256("two!!")
        try store.content.write("two!!", to: ".store/objects/\(orphan.prefix(2))/\(orphan)")
        try store.content.write("orphan", to: ".store/objects/\(orphan.prefix(2))/\(TestStore.sha256("orphan"))")
        try store.content.write("half", to: ".store/incoming/new-abcdef")
        let all = try store.stored("objects")

        let young = try await store.collector.collect(grace: 3_600, at: Date())
        #expect(young == ContentCollector.Findings())
        #expect(try store.stored("objects") == all)
        let dry = try await store.collector.collect(isDryRun: true, at: TemporaryFolder.later)
        #expect(dry == ContentCollector.Findings(objects: 1, leftovers: 1, bytes: 10))
        #expect(try store.stored("objects") == all)
        #expect(try await store.collector.collect(grace: 0, at: TemporaryFolder.later) == dry)
        #expect(try store.stored("incoming") == [])
        #expect(try store.stored("objects").count == kept.count + 1)
        try await store.publisher.discard(two, of: "words", TestStore.act)
        #expect(try await store.collector.collect(at: TemporaryFolder.later).objects == 1)
        #expect(try store.stored("objects") == kept)
        #expect(try await store.served("1.0.0") == ["words.txt": "one"])
    }
}
