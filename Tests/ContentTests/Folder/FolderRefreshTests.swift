import Foundation
import InAppPurchase
import SystemPackage
import TestSupport
import Testing

@testable import Content

@Suite struct FolderRefreshTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write("alpha", to: "words/1.0.0/words.txt")
        try folder.write("beta", to: "words/1.0.0/more.txt")
    }

    private func refresh(_ store: FolderRepository, at date: Date = TemporaryFolder.before) async -> ContentChanges {
        await store.refresh(at: date)
    }

    @Test func `A refresh sees added, changed and removed versions`() async throws {
        let store = try await folder.store(at: TemporaryFolder.before)
        try folder.write("gamma", to: "words/1.1.0/words.txt")
        try folder.write("night", to: "theme/1.0.0/theme.json")
        var changes = await refresh(store)
        #expect(changes.added.map(\.description) == ["theme 1.0.0", "words 1.1.0"] && changes.readFiles == 2)
        #expect(store.manifest(of: "words", version: nil)?.version.description == "1.1.0")

        try folder.overwrite("words/1.1.0/words.txt", with: "delta")
        try folder.remove("words/1.0.0/more.txt")
        changes = await refresh(store)
        #expect(changes.changed.map(\.description) == ["words 1.0.0", "words 1.1.0"] && changes.readFiles == 1)
        #expect(changes.added.isEmpty && changes.removed.isEmpty && changes.problems.isEmpty)

        try folder.remove("words/1.1.0")
        try folder.remove("theme")
        changes = await refresh(store)
        #expect(changes.removed.map(\.description) == ["theme 1.0.0", "words 1.1.0"] && changes.readFiles == 0)
        #expect(store.manifest(of: "words", version: nil)?.files.map(\.path) == ["words.txt"])
        #expect(store.bundles() == ["words"])
        #expect(await refresh(store).isEmpty)
    }

    @Test func `The revision of content changes with its versions only`() async throws {
        let store = try await folder.store(at: TemporaryFolder.before)
        var revisions = [store.revision]
        func change(_ isSeen: Bool, _ act: () throws -> Void) async throws {
            try act()
            _ = await refresh(store)
            #expect((store.revision != revisions.last) == isSeen)
            revisions.append(store.revision)
        }
        try await change(false) {}
        try await change(true) { try folder.write("gamma", to: "words/1.1.0/words.txt") }
        try await change(false) {}
        try await change(true) { try folder.overwrite("words/1.1.0/words.txt", with: "delta") }
        try await change(true) { try folder.remove("words/1.1.0") }
        #expect(Set(revisions).count == 4)
    }

    @Test func `A change that leaves the size of a file is seen`() async throws {
        try folder.setModificationDate("words/1.0.0/words.txt", to: Date(timeIntervalSince1970: 1_700_000_000))
        let store = try await folder.store(at: TemporaryFolder.before)
        let before = try #require(store.manifest(of: "words", version: nil))
        try folder.overwrite("words/1.0.0/words.txt", with: "ALPHA")
        let changes = await refresh(store)
        #expect(changes.changed.map(\.description) == ["words 1.0.0"] && changes.readFiles == 1)
        #expect(store.manifest(of: "words", version: nil)?.files.first == before.files.first)
        #expect(store.manifest(of: "words", version: nil) != before)
    }

    /// A file system's clock ticks slowly: two writes in one tick have the same time.
    @Test func `A change within one tick of the file system's clock is seen`() async throws {
        let (file, now) = ("words/1.0.0/words.txt", Date(timeIntervalSince1970: 1_700_000_000))
        try folder.setModificationDate(file, to: now)
        let store = try await folder.store(at: now + 1)
        try folder.overwrite(file, with: "ALPHA")
        try folder.setModificationDate(file, to: now)
        #expect(await store.refresh(at: now + 3).changed.map(\.description) == ["words 1.0.0"])
        #expect(await store.refresh(at: now + 4).readFiles == 1)
        #expect(await store.refresh(at: now + 5).readFiles == 0)
    }

    /// An act on the folder of a version that was published, and the problems that it makes.
    static let changes: [(act: @Sendable (TemporaryFolder) throws -> Void, problems: [String: ContentError.Reason])] = [
        ({ try $0.overwrite("words/1.0.0/words.txt", with: "ALPHA") }, ["words.txt": .changedSincePublished]),
        ({ try $0.remove("words/1.0.0/more.txt") }, ["more.txt": .removedSincePublished]),
        ({ try $0.write("new", to: "words/1.0.0/a/new.txt") }, ["a/new.txt": .addedSincePublished]),
        (
            { folder in
                try folder.remove("words/1.0.0/words.txt")
                try folder.write("alpha", to: "words/1.0.0/renamed.txt")
                try folder.overwrite("words/1.0.0/more.txt", with: "BETA")
            },
            [
                "words.txt": .removedSincePublished, "renamed.txt": .addedSincePublished,
                "more.txt": .changedSincePublished,
            ]
        ),
        // The same bytes.
        (
            { folder in
                try folder.remove("words/1.0.0/words.txt")
                try folder.write("alpha", to: "words/1.0.0/words.txt")
            }, [:]
        ),
    ]

    private func problems(_ expected: [String: ContentError.Reason]) -> [ContentError] {
        expected.sorted { $0.key < $1.key }.map { ContentError(folder.path("words/1.0.0/\($0.key)"), $0.value) }
    }

    /// The manifest stays what was hashed; what has other bytes now is not sent, and what has the same still is.
    @Test(arguments: changes.indices, [false, true])
    func `Files of a published version that were changed are problems`(index: Int, isRestarted: Bool) async throws {
        let (act, expected) = Self.changes[index]
        var store = try await folder.store()
        let manifest = try #require(store.manifest(of: "words", version: nil))
        try act(folder)
        if isRestarted {
            store = try await folder.store(published: [manifest])
            #expect(store.problems == problems(expected))
            #expect(await refresh(store, at: TemporaryFolder.later).isEmpty)
        } else {
            let changes = await refresh(store, at: TemporaryFolder.later)
            #expect(changes.changed.isEmpty && changes.added.isEmpty && changes.removed.isEmpty)
            #expect(changes.problems == problems(expected))
            #expect(await refresh(store, at: TemporaryFolder.later).isEmpty, "each is reported once")
        }
        #expect(store.problems == problems(expected))
        #expect(store.manifest(of: "words", version: nil) == manifest)
        for file in manifest.files {
            #expect((store.location(of: file.sha256) == nil) == (expected[file.path] != nil), "\(file.path)")
            #expect(store.size(ofNamed: file.sha256) == file.size)
        }
        // Put back, it is as it was.
        try folder.remove("words/1.0.0")
        try folder.write("alpha", to: "words/1.0.0/words.txt")
        try folder.write("beta", to: "words/1.0.0/more.txt")
        #expect(await refresh(store, at: TemporaryFolder.later).isEmpty && store.problems.isEmpty)
        #expect(manifest.files.allSatisfy { store.location(of: $0.sha256) != nil })
        try folder.overwrite("words/1.0.0/words.txt", with: "ALPHA")
        #expect(await refresh(store, at: TemporaryFolder.later).problems.map(\.reason) == [.changedSincePublished])
    }

    /// Without a rename, a folder is seen while it is copied, and a large one for longer.
    @Test func `A version may change until nobody has written to it for a minute`() async throws {
        try folder.overwrite("words/1.0.0/words.txt", with: "alpha anew")
        let written = Date()
        let store = try await folder.store(at: written + 10)
        try folder.overwrite("words/1.0.0/words.txt", with: "ALPHA and more")
        let changes = await refresh(store, at: written + FolderScan.copyingTime - 10)
        #expect(changes.changed.map(\.description) == ["words 1.0.0"] && changes.problems.isEmpty)
        try folder.overwrite("words/1.0.0/words.txt", with: "ALPHA and even more")
        let late = await refresh(store, at: Date() + FolderScan.copyingTime + 10)
        #expect(late.changed.isEmpty && late.problems.map(\.reason) == [.changedSincePublished])
    }

    /// That is how a version in a folder is withdrawn, and how its number is used again.
    @Test func `A version whose folder was removed can come back with other files`() async throws {
        let store = try await folder.store()
        try folder.remove("words/1.0.0")
        #expect(await refresh(store, at: TemporaryFolder.later).removed.map(\.description) == ["words 1.0.0"])
        try folder.write("ALPHA", to: "words/1.0.0/words.txt")
        let changes = await refresh(store, at: TemporaryFolder.later)
        #expect(changes.added.map(\.description) == ["words 1.0.0"] && changes.problems.isEmpty)
    }

    @Test func `A renamed version is not read again`() async throws {
        let store = try await folder.store()
        try FileManager.default.moveItem(atPath: folder.path("words/1.0.0"), toPath: folder.path("words/2.0.0"))
        let changes = await refresh(store)
        #expect(changes.added.map(\.description) == ["words 2.0.0"])
        #expect(changes.removed.map(\.description) == ["words 1.0.0"])
    }

    @Test func `A missing content folder removes no version`() async throws {
        let store = try await folder.store()
        let away = folder.path + "-away"
        try FileManager.default.moveItem(atPath: folder.path, toPath: away)
        let changes = await refresh(store)
        #expect(changes.problems == [ContentError(folder.path, .missing)] && changes.removed.isEmpty)
        #expect(store.bundles() == ["words"])
        try FileManager.default.moveItem(atPath: away, toPath: folder.path)
        #expect(await refresh(store).isEmpty)
    }

    @Test func `A version is served when its mistake is corrected`() async throws {
        let store = try await folder.store()
        try folder.write("x", to: "words/1.1.0/.hidden")
        try folder.write("x", to: "words/1.1.0/words.txt")
        #expect(await refresh(store).problems.map(\.reason) == [.hidden])
        #expect(store.manifest(of: "words", version: nil)?.version.description == "1.0.0")
        try folder.remove("words/1.1.0/.hidden")
        #expect(await refresh(store).added.map(\.description) == ["words 1.1.0"])
        try folder.write("x", to: "words/1.1.0/.hidden")
        #expect(await refresh(store).problems.map(\.reason) == [.hidden])
    }

    @Test func `Many refreshes at once run one scan`() async throws {
        let store = try await folder.store()
        try folder.write("gamma", to: "words/1.1.0/words.txt")
        let added = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { await store.refresh(at: TemporaryFolder.later).added.count } }
            return await group.reduce(0, +)
        }
        #expect(added == 1)
        #expect(store.manifest(of: "words", version: nil)?.version.description == "1.1.0")
    }

    @Test func `A file that was replaced meanwhile is not hashed`() throws {
        let path = FilePath(folder.path("words/1.0.0/words.txt"))
        let stamp = try #require(FileStamp(ofFileAt: path))
        #expect(try FileDigest.sha256(of: path, stamp: stamp).count == 64)
        try folder.overwrite("words/1.0.0/words.txt", with: "alpha beta")
        #expect(throws: ContentError(path.string, .changing)) { try FileDigest.sha256(of: path, stamp: stamp) }
        try folder.overwrite("words/1.0.0/words.txt", with: "ALPHA")
        try folder.setModificationDate("words/1.0.0/words.txt", to: Date(timeIntervalSince1970: 1_700_000_000))
        #expect(throws: ContentError(path.string, .changing)) { try FileDigest.sha256(of: path, stamp: stamp) }
        try folder.remove("words/1.0.0/words.txt")
        let problem = #expect(throws: ContentError.self) { try FileDigest.sha256(of: path, stamp: stamp) }
        #expect(problem?.description == "\(path): cannot be read: No such file or directory")
    }
}
