import Crypto
import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import Content

@Suite struct FolderContentStoreTests {
    private func sha256(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    @Test func `Bundles, versions and files of the folder are listed`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("alpha\n", to: "hard-words/1.0.0/words.txt")
        try folder.write("", to: "hard-words/1.0.0/empty")
        try folder.write("deep", to: "hard-words/1.0.0/a/b c/Käse.txt")
        try folder.write("beta", to: "hard-words/1.1.0/words.txt")
        try folder.write("night", to: "Night Theme/0.1.0-beta/theme.json")
        try folder.createFolder("no-version-yet")
        let store: any ContentRepository = try await folder.store()

        #expect(store.bundles() == ["Night Theme", "hard-words"])
        let manifest = try #require(try await store.manifest(of: "hard-words", version: SemanticVersion("1.0.0")))
        #expect(manifest.bundle == "hard-words" && manifest.version.description == "1.0.0")
        #expect(
            manifest.files == [
                Manifest.File(path: "a/b c/Käse.txt", size: 4, sha256: sha256("deep")),
                Manifest.File(path: "empty", size: 0, sha256: sha256("")),
                Manifest.File(path: "words.txt", size: 6, sha256: sha256("alpha\n")),
            ])
        #expect(try await store.manifest(of: "hard-words", version: SemanticVersion("1.0.1")) == nil)
        for name in ["no-version-yet", "nothing", "", "..", "hard-words/1.0.0", "HARD-WORDS"] {
            #expect(try await store.manifest(of: BundleName(stored: name), version: nil) == nil)
        }
    }

    @Test func `Bytes are found by their hash only`() async throws {
        let folder = try TemporaryFolder()
        try folder.write("alpha", to: "words/1.0.0/words.txt")
        let store = try await folder.store()
        #expect(store.location(of: sha256("alpha")) == .file(path: folder.path("words/1.0.0/words.txt"), size: 5))
        for text in ["", sha256("beta"), sha256("alpha").uppercased(), "../words", "/etc/passwd", "words.txt", "\0"] {
            #expect(store.location(of: text) == nil)
        }
    }

    @Test(arguments: [
        (["1.0.0", "1.10.0", "1.9.0"], "1.10.0"), (["1.0.0", "2.0.0-beta"], "1.0.0"),
        (["2.0.0-alpha.2", "2.0.0-alpha.10", "1.0.0-z"], "2.0.0-alpha.10"), (["1.0.0+a", "0.9.9"], "1.0.0+a"),
        (["0.0.1"], "0.0.1"),
    ])
    func `The newest version is the highest release`(versions: [String], newest: String) async throws {
        let folder = try TemporaryFolder()
        for version in versions { try folder.write(version, to: "words/\(version)/words.txt") }
        let store = try await folder.store()
        #expect(store.manifest(of: "words", version: nil)?.version.description == newest)
        for version in versions {
            let found = store.manifest(of: "words", version: SemanticVersion(version))
            #expect(found?.version.description == version && found?.files.first?.sha256 == sha256(version))
        }
    }

    @Test func `The same bytes are found wherever they still are`() async throws {
        let folder = try TemporaryFolder()
        for version in ["1.0.0", "1.1.0", "1.2.0"] { try folder.write("same", to: "words/\(version)/words.txt") }
        let store = try await folder.store()
        try folder.remove("words/1.0.0/words.txt")
        try folder.overwrite("words/1.1.0/words.txt", with: "other")
        #expect(store.location(of: sha256("same")) == .file(path: folder.path("words/1.2.0/words.txt"), size: 4))
        try folder.remove("words/1.2.0")
        #expect(store.location(of: sha256("same")) == nil)
    }

    @Test func `A file that changed since it was hashed is not found`() async throws {
        let folder = try TemporaryFolder()
        let file = "words/1.0.0/words.txt"
        try folder.write("alpha", to: file)
        let (store, date) = (try await folder.store(), Date(timeIntervalSince1970: 1_700_000_000))
        try folder.setModificationDate(file, to: date)
        #expect(store.location(of: sha256("alpha")) == nil)
        _ = await store.refresh(at: TemporaryFolder.later)
        #expect(store.location(of: sha256("alpha")) != nil)
        // Of the same size and time, but another file.
        try folder.write("gamma", to: "words/1.0.0/new")
        try folder.setModificationDate("words/1.0.0/new", to: date)
        try FileManager.default.moveItem(atPath: folder.path("words/1.0.0/new"), toPath: folder.path("other"))
        try folder.remove(file)
        try FileManager.default.createSymbolicLink(atPath: folder.path(file), withDestinationPath: folder.path("other"))
        #expect(store.location(of: sha256("alpha")) == nil)
        try folder.remove(file)
        try FileManager.default.moveItem(atPath: folder.path("other"), toPath: folder.path(file))
        #expect(store.location(of: sha256("alpha")) == nil)
        try folder.remove(file)
        #expect(store.location(of: sha256("alpha")) == nil)
    }

    @Test func `Files larger than a chunk have the right hash`() async throws {
        let folder = try TemporaryFolder()
        for size in [FileDigest.chunkBytes - 1, FileDigest.chunkBytes, 3 * FileDigest.chunkBytes + 1] {
            try folder.write(String(repeating: "x", count: size), to: "big/1.0.0/\(size)")
        }
        for file in try #require(try await folder.store().manifest(of: "big", version: nil)).files {
            #expect(file.sha256 == sha256(String(repeating: "x", count: file.size)) && file.path == "\(file.size)")
        }
    }

    @Test func `A thousand files are read once`() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<1_000 { try folder.write("word \(number)", to: "words/1.0.0/\(number % 10)/\(number).txt") }
        let store = try await folder.store()
        let files = try #require(store.manifest(of: "words", version: nil)).files
        #expect(files.count == 1_000)
        #expect(files.map(\.path) == files.map(\.path).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
        #expect(files.allSatisfy { store.location(of: $0.sha256) != nil })
        let changes = await store.refresh(at: TemporaryFolder.later)
        #expect(changes.isEmpty && changes.readFiles == 0)
    }

    @Test func `The content folder may be a link`() async throws {
        let (folder, elsewhere) = (try TemporaryFolder(), try TemporaryFolder())
        try elsewhere.write("alpha", to: "words/1.0.0/words.txt")
        let link = folder.path("content")
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: elsewhere.path)
        #expect(try await FolderRepository(path: link, at: TemporaryFolder.later).bundles() == ["words"])
    }
}
