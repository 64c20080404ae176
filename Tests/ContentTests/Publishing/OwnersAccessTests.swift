import Foundation
import InAppPurchase
import Ledger
import SystemPackage
import TestSupport
import Testing

@testable import Content

/// Whether the owner of the content folder, as whom servers run, can read what a publisher of any user writes.
@Suite struct OwnersAccessTests {
    /// Root may read everything: for what is refused the folder needs another owner.
    private static func chownIfRoot(_ path: String) { if geteuid() == 0 { chown(path, 12_345, 23_456) } }

    /// Whatever the umask is: none of these is what it usually leaves.
    @Test(arguments: [0o777, 0o750, 0o700] as [CInterop.Mode])
    func `All may enter the content repository who may enter the content folder`(mode: CInterop.Mode) async throws {
        let store = try TestStore()
        chmod(store.content.path, mode)
        try await store.publish("1.0.0", ["a": "alpha", "b/c": "beta"])
        let root = store.content.url.appending(path: ".store").path(percentEncoded: false)
        let modes = try FileManager.default.subpathsOfDirectory(atPath: root).map { "\(root)/\($0)" }
            .compactMap { path in
                let status = try FilePath(path).stat()
                return status.type == .directory ? status.permissions.rawValue : nil
            }
        #expect(modes.count >= 6 && Set(modes) == [mode])
        #expect(try FilePath(root).stat().permissions.rawValue == mode)
    }

    @Test func `Only what the owner of the content folder can read is published`() async throws {
        let store = try TestStore()
        Self.chownIfRoot(store.content.path)
        try await store.publish("1.0.0", ["a": "alpha"])
        let version = try #require(SemanticVersion("1.0.0"))
        let object = RepositoryFolder(content: FilePath(store.content.path)).object(TestStore.sha256("alpha"))
        chmod(object.string, 0)
        let refusal = PublishRefusal.unreadable(path: object.string, content: FilePath(store.content.path).string)
        await #expect(throws: refusal) { try await store.publish("1.0.0", ["a": "alpha"]) }
        // What is withdrawn needs nobody who reads it.
        #expect(try await store.publisher.yank(version, of: "words", TestStore.act).isChanged)
        await #expect(throws: refusal) { try await store.publisher.restore(version, of: "words", TestStore.act) }
        #expect(try await store.trail().map(\.kind) == ["bundle.published", "bundle.yanked"])
        chmod(object.string, 0o444)
        #expect(try await store.publisher.restore(version, of: "words", TestStore.act).isChanged)
    }
}
