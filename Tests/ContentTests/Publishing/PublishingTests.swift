import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import Content

@Suite struct PublishingTests {
    let store: TestStore

    init() throws { store = try TestStore() }

    @Test func `A folder is published as a whole and once`() async throws {
        let files = ["words.txt": "alpha\n", "a/b c/Käse.txt": "deep", "empty": "", "same": "deep"]
        let outcome = try await store.publish("1.0.0", files)
        #expect(outcome.isChanged && outcome.record.state == .published && outcome.record.publishedAt == TestStore.date)
        #expect(try await store.served() == files)
        #expect(try await store.newest() == "1.0.0")
        #expect(try store.stored("objects").count == 3)
        #expect(try store.stored("incoming") == [])

        let again = try await store.publish("1.0.0", files)
        #expect(!again.isChanged && again.record == outcome.record)
        await #expect(throws: PublishRefusal.otherVersion(.published)) {
            try await store.publish("1.0.0", ["words.txt": "beta"])
        }
        await #expect(throws: PublishRefusal.otherVersion(.published)) { try await store.publish("1.0.0+b", files) }
        #expect(try await store.served() == files)

        try await store.publish("1.1.0", ["words.txt": "beta", "same": "deep"])
        #expect(try await store.served() == ["words.txt": "beta", "same": "deep"])
        #expect(try await store.served("1.0.0") == files)
        #expect(try store.stored("objects").count == 4)
        #expect(try store.stored("bundles").count == 2)
        let manifest = try await store.content.store().manifest(of: "words", version: nil)
        #expect(manifest?.previousVersions.map(\.description) == ["1.0.0"])
        let rows = try await store.trail()
        #expect(rows.map(\.kind) == ["bundle.published", "bundle.published"])
        #expect(rows.map(\.subject) == ["words 1.0.0", "words 1.1.0"])
        #expect(rows.allSatisfy { $0.actor == "command:alice" && $0.date == TestStore.date })
    }

    @Test func `A running server serves what was published and yanked`() async throws {
        let server = try await store.content.store()
        try await store.publish("1.0.0", ["words.txt": "alpha"])
        #expect(server.manifest(of: "words", version: nil) == nil)
        let changes = await server.refresh(at: TemporaryFolder.later)
        #expect(changes.added.map(\.description) == ["words 1.0.0"] && changes.readFiles == 0)
        #expect(server.manifest(of: "words", version: nil)?.files.count == 1 && server.bundles() == ["words"])
        #expect(await server.refresh(at: TemporaryFolder.later).isEmpty)
        _ = try await store.publisher.yank(#require(SemanticVersion("1.0.0")), of: "words", TestStore.act)
        _ = try await server.reload(at: TemporaryFolder.later)
        #expect(server.manifest(of: "words", version: nil) == nil && server.bundles() == ["words"])
        #expect(server.manifest(of: "words", version: SemanticVersion("1.0.0")) != nil)
    }

    @Test func `App versions and locale are stored with a manifest`() async throws {
        var plan = try store.plan("1.0.0")
        plan.minimumAppVersion = SemanticVersion(appVersion: "2.1")
        plan.maximumAppVersion = SemanticVersion(appVersion: "3")
        plan.locale = "pt-BR"
        let folder = try store.source(["words.txt": "alpha"])
        _ = try await store.publisher.publish(folder, as: plan, TestStore.act)
        let manifest = try #require(try await store.content.store().manifest(of: "words", version: nil))
        #expect(manifest.minimumAppVersion?.description == "2.1.0" && manifest.locale == "pt-BR")
        #expect(manifest.maximumAppVersion?.description == "3.0.0")
        await #expect(throws: PublishRefusal.otherVersion(.published)) {
            try await store.publish("1.0.0", ["words.txt": "alpha"])
        }
        (plan.version, plan.locale) = (try #require(SemanticVersion("1.1.0")), "not a tag")
        await #expect(throws: PublishRefusal.self) {
            try await store.publisher.publish(folder, as: plan, TestStore.act)
        }
        (plan.locale, plan.maximumAppVersion) = ("de", SemanticVersion("2.0.9"))
        await #expect(throws: PublishRefusal.self) {
            try await store.publisher.publish(folder, as: plan, TestStore.act)
        }
    }

    /// The present version, the next one, whether it is a patch, and why it is refused.
    static let orders: [(there: [String], new: String, isPatch: Bool, refusal: PublishRefusal?)] = [
        ([], "0.0.1", false, nil), ([], "1.0.1", true, nil), (["1.0.0"], "1.0.1", false, nil),
        (["1.0.0"], "1.0.0-rc", false, newer("1.0.0")), (["1.0.0-rc"], "1.0.0", false, nil),
        (["1.9.0"], "1.10.0", false, nil), (["1.0.0", "2.0.0"], "1.0.1", false, newer("2.0.0")),
        (["1.0.0", "2.0.0"], "1.0.1", true, nil), (["1.0.2", "2.0.0"], "1.0.1", true, .noPatch),
        (["1.0.0", "2.0.0"], "1.1.0", true, .noPatch), (["1.0.0", "2.0.0"], "2.0.1", true, nil),
        (["2.0.0-beta"], "1.0.0", false, newer("2.0.0-beta")), (["1.0.0"], "0.9.0", true, .noPatch),
        (["1.0.0-rc"], "1.0.0-RC", false, .member("the version differs from 1.0.0-rc only by case")),
    ]

    private static func newer(_ version: String) -> PublishRefusal? {
        SemanticVersion(version).map { .notNewer(than: $0) }
    }

    /// Whether the earlier versions are in the store or in folders made by hand.
    @Test(arguments: orders.indices, [false, true])
    func `A version must be newer than those before, unless it is a patch`(index: Int, isByHand: Bool) async throws {
        let (there, new, isPatch, refusal) = Self.orders[index]
        for version in there {
            if isByHand {
                try store.content.write(version, to: "words/\(version)/words.txt")
            } else {
                try await store.publish(version, ["words.txt": version])
            }
        }
        let before = try await store.newest()
        do {
            try await store.publish(new, ["words.txt": new], isPatch: isPatch)
            #expect(refusal == nil)
            #expect(try await store.served(new) == ["words.txt": new])
        } catch {
            #expect(error as? PublishRefusal == refusal)
            #expect(try await store.newest() == before)
        }
    }

    /// A folder that a server would refuse as its own is not published.
    @Test(arguments: Mistake.allCases)
    func `A folder with a mistake is not published`(_ error: Mistake) async throws {
        try await store.publish("0.9.0", ["words.txt": "before"])
        try store.sources.write("alpha", to: "words/1.0.0/words.txt")
        let problems = try error.make(in: store.sources).map { ContentError(store.sources.path($0.path), $0.reason) }
        let folder = store.sources.path("words/1.0.0")
        guard let problem = problems.first(where: { $0.path.hasPrefix(folder + "/") || $0.path == folder }),
            error != .sameVersion
        else { return }
        await #expect(throws: PublishRefusal.content(problem)) {
            try await store.publisher.publish(folder, as: store.plan("1.0.0"), TestStore.act)
        }
        #expect(try await store.newest() == "0.9.0")
        #expect(try await store.trail().count == 1)
        #expect(try store.stored("objects").count == 1)
    }

    @Test func `An empty folder or a missing one is not published`() async throws {
        try store.sources.createFolder("empty/a")
        for name in ["empty", "gone"] {
            await #expect(throws: PublishRefusal.self) {
                try await store.publisher.publish(store.sources.path(name), as: store.plan("1.0.0"), TestStore.act)
            }
        }
        #expect(try await store.trail().isEmpty)
    }

    @Test(arguments: ["", ".", "..", ".store", "a/b", "../words", "a\nb", "a\0b", String(repeating: "x", count: 256)])
    func `A bad name of a bundle is refused`(name: String) async throws {
        let folder = try store.source(["words.txt": "alpha"])
        let plan = VersionPlan(bundle: BundleName(stored: name), version: try #require(SemanticVersion("1.0.0")))
        await #expect(throws: PublishRefusal.self) {
            try await store.publisher.publish(folder, as: plan, TestStore.act)
        }
        #expect(!FileManager.default.fileExists(atPath: store.content.path(".store")))
    }

    @Test func `A bundle name that differs only by case is refused and leaves nothing`() async throws {
        try store.content.write("x", to: "art/1.0.0/x")
        try await store.publish("1.0.0", ["words.txt": "alpha"])
        for name in ["Words", "ART"] {
            let plan = VersionPlan(bundle: BundleName(stored: name), version: try #require(SemanticVersion("1.0.0")))
            await #expect(throws: PublishRefusal.bundleName(.sameNameAs(name.lowercased()))) {
                try await store.publisher.publish(store.source(["x": "x"]), as: plan, TestStore.act)
            }
        }
        try await store.publish("1.1.0", ["words.txt": "beta"])
        #expect(try await store.newest() == "1.1.0")
    }

    @Test func `A version made by hand is published only with the same files`() async throws {
        try store.content.write("alpha", to: "words/1.0.0/words.txt")
        try store.content.write("newer", to: "words/2.0.0/words.txt")
        await #expect(throws: PublishRefusal.otherVersion(.published)) {
            try await store.publish("1.0.0", ["words.txt": "beta"])
        }
        #expect(try await store.publish("1.0.0", ["words.txt": "alpha"]).isChanged)
        #expect(try await !store.publish("1.0.0", ["words.txt": "alpha"]).isChanged)
        #expect(try await store.served("1.0.0") == ["words.txt": "alpha"])
        #expect(try await store.newest() == "2.0.0")
        let server = try await store.content.store()
        try store.content.overwrite("words/1.0.0/words.txt", with: "ALPHA")
        let changed = ContentError(store.content.path("words/1.0.0/words.txt"), .changedSincePublished)
        #expect(await server.refresh(at: TemporaryFolder.later).problems == [changed])
        #expect(
            server.manifest(of: "words", version: SemanticVersion("1.0.0"))?.files.first?.sha256
                == TestStore.sha256("alpha"))
        // A server that starts knows the record of the version alone.
        let problem = ContentError(store.content.path("words/1.0.0"), .otherFiles)
        await #expect(throws: ContentRefusal([problem])) { try await store.content.store() }
    }
}
