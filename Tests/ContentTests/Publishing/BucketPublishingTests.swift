import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import Content
@testable import ObjectStore

/// The troubles of buckets only: nobody can be locked out, and answers get lost.
@Suite(.enabled(if: ObjectStoreServer.isInstalled, "scripts/object-store/tools.sh installs it"))
struct BucketPublishingTests {
    private static let files = ["one.txt": "one"]

    /// The second of two publishers changes nothing that the first one wrote.
    @Test func `A publisher that loses a race is refused and changes nothing`() async throws {
        let store = try TestStore(in: try await TestStore.bucket())
        try await store.publish("1.0.0", Self.files)
        let first = store.publisher
        let second = ContentPublisher(content: store.place, trail: store.ledger)
        let (plan, source) = (try store.plan("1.1.0"), try store.source(["one.txt": "1"]))
        let record = VersionRecord(
            manifest: try store.manifest("1.0.1", Self.files), state: .published, publishedAt: TestStore.date)
        await #expect(throws: PublishRefusal.busy) {
            try await first.change("words", existing: nil) { known in
                _ = try await second.publish(source, as: plan, TestStore.act)
                _ = try await first.commit(record, after: nil, among: known, .bundlePublished, TestStore.act)
            }
        }
        let versions = try await store.open().records(of: "words").map(\.manifest.version.description)
        #expect(versions == ["1.0.0", "1.1.0"])
        let kinds = try await store.trail().map(\.kind)
        #expect(kinds == ["bundle.published", "bundle.published", "bundle.published", "bundle.notChanged"])
    }

    @Test func `Of two first versions published at once one is refused`() async throws {
        let store = try TestStore(in: try await TestStore.bucket())
        let other = ContentPublisher(content: store.place, trail: store.ledger)
        let (plan, source) = (try store.plan("1.0.0"), try store.source(Self.files))
        let record = VersionRecord(manifest: try store.manifest("2.0.0", Self.files), state: .published)
        let first = store.publisher
        await #expect(throws: PublishRefusal.busy) {
            try await first.change("words", existing: nil) { known in
                _ = try await other.publish(source, as: plan, TestStore.act)
                try await first.store.write(record, among: known)
            }
        }
        #expect(try await store.newestVersion() == "1.0.0")
    }

    /// The write is done, its answer never arrives, and the next attempt finds its own object.
    @Test(arguments: ["objects/", "manifests/", "bundles/"])
    func `A lost answer of the bucket is no lost race`(_ key: String) async throws {
        let server = try await ObjectStoreServer()
        let store = try TestStore(in: try await TestStore.bucket(in: server))
        for (version, files) in [("1.0.0", Self.files), ("1.1.0", ["one.txt": "1"])] {
            try await server.receive("lose \(key)")
            #expect(try await store.publish(version, files).isChanged)
            #expect(try await store.texts() == files)
        }
        #expect(try await store.trail().map(\.kind) == ["bundle.published", "bundle.published"])
    }

    @Test func `A bucket that does not answer changes nothing`() async throws {
        let server = try await ObjectStoreServer()
        let store = try TestStore(in: try await TestStore.bucket(in: server))
        try await store.publish("1.0.0", Self.files)
        let content = try await store.open()
        try await server.receive("fail 4")
        await #expect(throws: PublishRefusal.notWritable("the object store does not answer: 503")) {
            try await store.publish("1.1.0", ["one.txt": "1"])
        }
        // The versions that are known stay.
        try await server.receive("fail 4")
        let changes = await content.refresh(at: Date())
        #expect(changes.problems.count == 1 && changes.removed.isEmpty)
        #expect(content.bundles() == ["words"])
        #expect(await content.refresh(at: Date()).isEmpty)
        try await server.receive("fail 4")
        await #expect(throws: ContentRefusal.self) { try await store.open() }
    }

    @Test func `Publishing and collecting exclude each other in a bucket`() async throws {
        let client = try await TestStore.bucket()
        let store = try TestStore(in: client)
        try await store.publish("1.0.0", Self.files)
        let (publisher, collector) = (store.publisher, store.collector)
        try await publisher.change("words", existing: nil) { _ in
            await #expect(throws: PublishRefusal.busy) { try await collector.collect(grace: 0, at: Date() + 60) }
            // Two publishers do not disturb each other.
            _ = try await publisher.change("others", existing: nil) { $0.records }
        }
        let bucket = RepositoryBucket(client: client)
        try await BucketLease.collecting.whileHeld(in: bucket, as: "other") { _ in
            await #expect(throws: PublishRefusal.busy) { try await store.publish("1.1.0", ["one.txt": "1"]) }
            await #expect(throws: PublishRefusal.busy) { try await store.collector.collect(at: Date()) }
        }
        #expect(try await client.list(BucketLease.prefix, upTo: 10).isEmpty)
        #expect(try await store.publish("1.1.0", ["one.txt": "1"]).isChanged)
    }

    @Test func `The lease of a dead publisher ends`() {
        func lease(_ name: String, _ age: TimeInterval) -> ListedObject {
            ListedObject(key: "leases/\(name)", size: 0, etag: "", modified: TestStore.date - age)
        }
        let own = lease("publishing-a", 0)
        for (other, blocks) in [
            (own, false), (lease("publishing-b", 1), false), (lease("collecting-b", 3_599), true),
            (lease("collecting-b", 3_600), false), (lease("collecting-b", -5), true), (lease("else-b", 1), false),
        ] { #expect(BucketLease.publishing.blocks(other, own) == blocks, "\(other.key)") }
        let collector = lease("collecting-a", 0)
        #expect(BucketLease.collecting.blocks(lease("publishing-b", 86_399), collector))
        #expect(!BucketLease.collecting.blocks(lease("publishing-b", 86_400), collector))
    }

    /// Records that nobody wrote here are left out, and the other versions stay.
    @Test func `A damaged record in a bucket is reported and stops publishing`() async throws {
        let client = try await TestStore.bucket()
        let store = try TestStore(in: client)
        try await store.publish("1.0.0", Self.files)
        let content = try await store.open()
        for text in ["{", "{\"bundle\": \"others\", \"versions\": []}", "{\"bundle\": \"../x\", \"versions\": []}"] {
            try await client.put(.bytes(Data(text.utf8)), at: RepositoryBucket.bundle("words"), .always)
            #expect(await content.refresh(at: Date()).problems.count == 1, "\(text)")
            #expect(content.bundles() == ["words"])
            await #expect(throws: ContentRefusal.self) { try await store.open() }
            await #expect(throws: PublishRefusal.self) { try await store.publish("1.1.0", Self.files) }
            await #expect(throws: PublishRefusal.self) { try await store.collector.collect(at: Date()) }
        }
    }

    @Test func `A manifest whose bytes do not have its hash is reported`() async throws {
        let client = try await TestStore.bucket()
        let store = try TestStore(in: client)
        let outcome = try await store.publish("1.0.0", Self.files)
        let manifest = try #require(try await client.list(RepositoryBucket.manifests, upTo: 10).first)
        var other = outcome.record.manifest
        other.locale = "en"
        try await client.put(.bytes(try RepositoryBucket.encode(other)), at: manifest.key, .always)
        let inspection = await ContentInspection(of: store.place, at: Date())
        #expect(inspection.problems.map(\.reason) == [.otherBytes] && inspection.manifests.isEmpty)
    }

    /// Objects that the bucket lost are restored by publishing the same files again.
    @Test func `Lost objects are restored by publishing the files again`() async throws {
        let client = try await TestStore.bucket()
        let store = try TestStore(in: client)
        let files = ["one.txt": "one", "two.txt": "two"]
        try await store.publish("1.0.0", files)
        try await client.delete(RepositoryBucket.object(TestStore.sha256("one")))
        try await store.damage(TestStore.sha256("two"), "longer")
        let problems = try await ContentInspection(of: store.place, at: Date()).verify()
        #expect(problems.map(\.reason).contains(.missingObject) && problems.count == 3)
        #expect(try await !store.publish("1.0.0", files).isChanged)
        #expect(try await store.texts() == files)
        #expect(try await ContentInspection(of: store.place, at: Date()).verify().isEmpty)
    }
}
