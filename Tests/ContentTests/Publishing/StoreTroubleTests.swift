import Foundation
import InAppPurchase
import Ledger
import SystemPackage
import TestSupport
import Testing

@testable import Content

/// Troubles of the store, and what is done about them.
@Suite struct StoreTroubleTests {
    let store: TestStore

    init() throws { store = try TestStore() }

    private func object(_ text: String) -> String {
        let sha256 = TestStore.sha256(text)
        return ".store/objects/\(sha256.prefix(2))/\(sha256)"
    }

    private func replace(_ path: String, with text: String) throws {
        try store.content.remove(path)
        try store.content.write(text, to: path)
    }

    @Test func `Altered bytes are found, and restored by publishing again`() async throws {
        try await store.publish("1.0.0", ["words.txt": "alpha", "more.txt": "more"])
        let server = try await store.content.store()
        #expect(try await ContentInspection(of: .folder(store.content.path), at: TemporaryFolder.later).verify() == [])
        try replace(object("alpha"), with: "ALPHA")
        let problem = ContentError(store.content.path(object("alpha")), .otherBytes)
        #expect(
            try await ContentInspection(of: .folder(store.content.path), at: TemporaryFolder.later).verify() == [
                problem
            ])
        // A server that saw the file as it was does not send it as it is now.
        #expect(await server.refresh(at: TemporaryFolder.later).problems == [problem])
        #expect(server.location(of: TestStore.sha256("alpha")) == nil)

        try store.content.remove(object("alpha"))
        let missing = ContentError(store.content.path(object("alpha")), .missingObject)
        #expect(await server.refresh(at: TemporaryFolder.later).problems == [missing])
        await #expect(throws: ContentRefusal([missing])) { try await store.content.store() }
        let again = try await store.publish("1.0.0", ["words.txt": "alpha", "more.txt": "more"])
        #expect(!again.isChanged)
        #expect(try await store.served() == ["words.txt": "alpha", "more.txt": "more"])
        _ = await server.refresh(at: TemporaryFolder.later)
        #expect(server.location(of: TestStore.sha256("alpha")) != nil)
    }

    /// Bytes that may be in a record's place.
    static let texts = [
        "", "{}", "null", #"{"manifest": 1, "state": "published"}"#,
        #"{"manifest": {"bundle": "words", "version": "1.0.0", "files": []}, "state": "published"}"#,
        #"{"manifest": {"bundle": "words", "version": "1.0.0", "files": [{"path": "a", "size": 1, "sha256": "../../x"}]}, "state": "published"}"#,
        #"{"manifest": {"bundle": "other", "version": "1.0.0", "files": [{"path": "a", "size": 1, "sha256": "\#(TestStore.sha256("a"))"}]}, "state": "published"}"#,
    ]

    @Test(arguments: texts) func `A damaged record is reported and nothing is deleted`(text: String) async throws {
        try await store.publish("1.0.0", ["words.txt": "alpha"])
        let server = try await store.content.store()
        let record = ".store/bundles/words/1.0.0.json"
        try replace(record, with: text)
        let changes = await server.refresh(at: TemporaryFolder.later)
        #expect(changes.problems.map(\.path) == [store.content.path(record)] && changes.removed.isEmpty)
        #expect(server.manifest(of: "words", version: nil) != nil, "as it was")
        await #expect(throws: ContentRefusal.self) { try await store.content.store() }
        await #expect(throws: PublishRefusal.self) { try await store.publish("1.1.0", ["words.txt": "beta"]) }
        await #expect(throws: PublishRefusal.self) {
            try await store.collector.collect(grace: 0, at: TemporaryFolder.later)
        }
        #expect(try store.stored("objects").count == 1)
    }

    /// A bundle whose records cannot be listed may need any file.
    @Test(arguments: ["HARD", "link"])
    func `Nothing is collected while a bundle cannot be listed`(name: String) async throws {
        try await store.publish("1.0.0", ["words.txt": "alpha"])
        let bundles = FilePath(store.content.path(".store/bundles"))
        if name == "link" {
            try FileManager.default.createSymbolicLink(
                atPath: bundles.appending(name).string, withDestinationPath: bundles.appending("words").string)
        } else {
            // Both are refused, since some disks cannot tell them apart.
            try FileManager.default.moveItem(
                atPath: bundles.appending("words").string, toPath: bundles.appending("hard").string)
            try store.content.createFolder(".store/bundles/\(name)")
        }
        await #expect(throws: PublishRefusal.self) {
            try await store.collector.collect(grace: 0, at: TemporaryFolder.later)
        }
        #expect(try store.stored("objects").count == 1)
    }

    @Test func `A version that cannot be written is audited as not changed`() async throws {
        try await store.publish("1.0.0", ["words.txt": "alpha"])
        // A folder in the record's place cannot be replaced by a file.
        try store.content.createFolder(".store/bundles/words/1.1.0.json/x")
        await #expect(throws: PublishRefusal.self) { try await store.publish("1.1.0", ["words.txt": "beta"]) }
        try store.content.remove(".store/bundles/words/1.1.0.json")
        try store.content.remove(".store/incoming")
        try store.content.write("", to: ".store/incoming")
        await #expect(throws: PublishRefusal.self) { try await store.publish("1.1.0", ["words.txt": "alpha"]) }
        let rows = try await store.trail()
        #expect(rows.map(\.kind) == ["bundle.published", "bundle.published", "bundle.notChanged"])
        #expect(rows.last?.subject == "words 1.1.0")
        #expect(try await store.newest() == "1.0.0")
    }

    @Test func `A folder that another publisher holds is reported as busy`() async throws {
        try await store.publish("1.0.0", ["words.txt": "alpha"])
        let folder = FilePath(store.content.path(".store/bundles/words"))
        try await FolderLock.whileHeld(on: folder) {
            _ = await #expect(throws: FolderLock.Unavailable.busy) {
                _ = try await FolderLock.whileHeld(on: folder, timeout: .zero) { 0 }
            }
        }
        try await FolderLock.whileHeld(on: folder, .shared) {
            _ = try await FolderLock.whileHeld(on: folder, .shared, timeout: .zero) { 0 }
        }
    }
}
