import Content
import Foundation
import InAppPurchase
import TestSupport
import Testing

/// An operator's look into the folder of a server that may be running.
@Suite struct ContentInspectionTests {
    private func inspect(_ folder: TemporaryFolder, published: [Manifest] = []) async -> ContentInspection {
        await ContentInspection(of: .folder(folder.path), published: published, at: TemporaryFolder.later)
    }

    @Test func `An inspection lists what a server would publish`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("alpha", to: "words/1.10.0/words.txt")
        try folder.write("beta", to: "words/1.9.0/a/words.txt")
        try folder.write("gamma", to: "art/2.0.0-beta.1/x")
        let inspection = await inspect(folder)
        let store = try await folder.store()
        #expect(
            inspection.manifests.map { "\($0.bundle) \($0.version)" } == [
                "art 2.0.0-beta.1", "words 1.9.0", "words 1.10.0",
            ])
        for manifest in inspection.manifests {
            #expect(store.manifest(of: manifest.bundle, version: manifest.version) == manifest)
        }
        #expect(inspection.problems == [] && inspection.manifests.count == 3)
        #expect(try await inspection.verify() == [])
    }

    /// The inspection refuses what a server would, for the same reason; the rest of the folder is still listed.
    @Test(arguments: Mistake.allCases)
    func `An inspection reports what a server would refuse`(_ error: Mistake) async throws {
        let folder = try TemporaryFolder()
        try folder.write("alpha", to: "words/1.0.0/words.txt")
        try folder.write("other", to: "other/1.0.0/words.txt")
        let problems = try error.make(in: folder).map { ContentError(folder.path($0.path), $0.reason) }
        let inspection = await inspect(folder)
        #expect(inspection.problems == problems)
        #expect(inspection.manifests.contains { $0.bundle == "other" })
        #expect(try await inspection.verify() == [])
    }

    @Test func `An inspection warns of names made by hand that could not be published`() async throws {
        let folder = try TemporaryFolder()
        for path in ["words/1.0.0/a*b", "words/1.0.0/c", "words/1.0.0/a/100%"] { try folder.write("x", to: path) }
        #expect(try await folder.store().bundles() == ["words"])
        let inspection = await inspect(folder)
        #expect(inspection.problems.isEmpty)
        #expect(
            inspection.warnings == [
                ContentError(folder.path("words/1.0.0/a*b"), .reservedCharacterInName("*")),
                ContentError(folder.path("words/1.0.0/a/100%"), .percentSignInName),
            ])
        #expect(try await inspection.verify().isEmpty)
    }

    @Test func `An inspection reports a missing content folder`() async throws {
        let path = try TemporaryFolder().path("content")
        let inspection = await ContentInspection(of: .folder(path), at: TemporaryFolder.later)
        #expect(inspection.problems == [ContentError(path, .missing)] && inspection.manifests == [])
    }

    /// How a file changed after it was hashed, and what is reported of it.
    static let changes: [(@Sendable (TemporaryFolder) throws -> Void, ContentError.Reason?)] = [
        ({ _ in }, nil),
        ({ try $0.overwrite(file, with: "ALPHA") }, .changing),
        ({ try $0.overwrite(file, with: "longer than before") }, .changing),
        (
            { folder in
                try folder.overwrite(file, with: "ALPHA")
                try folder.setModificationDate(file, to: before)
            }, .otherBytes
        ),
        (
            { folder in
                try folder.remove(file)
                try folder.write("alpha", to: file)
            }, .changing
        ),
        ({ try $0.write("new", to: "words/1.0.0/new.txt") }, nil),
    ]

    private static let file = "words/1.0.0/words.txt"
    private static let before = Date(timeIntervalSince1970: 1_000_000_000)

    @Test(arguments: changes.indices)
    func `An inspection reports a file that changed since it was hashed`(index: Int) async throws {
        let folder = try TemporaryFolder()
        try folder.write("alpha", to: Self.file)
        try folder.write("same", to: "words/1.0.0/same.txt")
        try folder.setModificationDate(Self.file, to: Self.before)
        let inspection = await inspect(folder)
        let (change, reason) = Self.changes[index]
        try change(folder)
        let expected = reason.map { [ContentError(folder.path(Self.file), $0)] } ?? []
        #expect(try await inspection.verify() == expected)
    }

    @Test func `An inspection compares with what servers published`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("alpha", to: Self.file)
        try folder.write("beta", to: "words/1.0.0/more.txt")
        let published = await inspect(folder).manifests
        try folder.overwrite(Self.file, with: "ALPHA")
        try folder.remove("words/1.0.0/more.txt")
        #expect(await inspect(folder).problems.isEmpty)
        let inspection = await inspect(folder, published: published)
        #expect(inspection.manifests == published)
        #expect(
            inspection.problems == [
                ContentError(folder.path("words/1.0.0/more.txt"), .removedSincePublished),
                ContentError(folder.path(Self.file), .changedSincePublished),
            ])
        #expect(try await inspection.verify() == [])
    }

    @Test func `An inspection reports a file that is gone`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("alpha", to: Self.file)
        let inspection = await inspect(folder)
        try folder.remove(Self.file)
        let problems = try await inspection.verify()
        #expect(problems.map(\.path) == [folder.path(Self.file)])
        #expect(problems.first?.description.contains("cannot be read") == true)
    }
}
