import Foundation
import TestSupport
import Testing

@testable import Content

/// Refusals of files in the content folder.
enum Mistake: String, CaseIterable, Sendable {
    case link, folderLink, bundleLink, versionLink, dangling, pipe, hiddenFile, hiddenFolder, hiddenBundle
    case hiddenVersion, fileAsBundle, fileAsVersion, noVersion, twinCase, twinNormalization, twinSharpS, twinFolder
    case twinBundle, twinVersion, sameVersion, empty, emptyFolders, notUTF8, control, tooMany, tooManyBelow, tooDeep
    case tooLarge

    /// Makes the error in or beside the version `words/1.0.0`; returns the path that is reported and why.
    func make(in folder: TemporaryFolder) throws -> [(path: String, reason: ContentError.Reason)] {
        let version = "words/1.0.0"
        switch self {
        case .link: return [try link("\(version)/l", to: "/etc/passwd", in: folder)]
        case .folderLink: return [try link("\(version)/l", to: "/etc", in: folder)]
        case .bundleLink: return [try link("l", to: folder.path("words"), in: folder)]
        case .versionLink: return [try link("words/2.0.0", to: folder.path(version), in: folder)]
        case .dangling: return [try link("\(version)/l", to: "nowhere", in: folder)]
        case .pipe:
            try #require(mkfifo(folder.path("\(version)/pipe"), 0o600) == 0)
            return [("\(version)/pipe", .notAFile)]
        case .hiddenFile: return [try write("\(version)/a/.hidden", .hidden, in: folder)]
        case .hiddenFolder: return [("\(version)/.git", try write("\(version)/.git/config", .hidden, in: folder).1)]
        case .hiddenBundle: return [(".git", try write(".git/1.0.0/config", .hidden, in: folder).1)]
        case .hiddenVersion: return [("words/.1.0.1", try write("words/.1.0.1/words.txt", .hidden, in: folder).1)]
        case .fileAsBundle: return [try write("README.md", .notAFolder, in: folder)]
        case .fileAsVersion: return [try write("words/2.0.0", .notAFolder, in: folder)]
        case .noVersion: return [("words/v1", try write("words/v1/words.txt", .notASemanticVersion, in: folder).1)]
        default: return try makeOther(in: folder, version: version)
        }
    }

    private func makeOther(
        in folder: TemporaryFolder, version: String
    ) throws -> [(path: String, reason: ContentError.Reason)] {
        switch self {
        case .twinCase: return [try twins("\(version)/", "Readme", "readme", in: folder)[0]]
        case .twinNormalization: return [try twins("\(version)/", "Ka\u{308}se", "K\u{E4}se", in: folder)[0]]
        case .twinSharpS: return [try twins("\(version)/", "STRASSE", "straße", in: folder)[0]]
        case .twinFolder: return [try twins("\(version)/", "A", "a", "/file", in: folder)[0]]
        case .twinBundle: return try twins("", "WORDS", "words", "/1.0.0/file", in: folder)
        case .twinVersion: return try twins("words/", "1.1.0-A", "1.1.0-a", "/file", in: folder)
        case .sameVersion:
            try folder.write("", to: "words/1.0.0+b/file")
            return [(version, .sameVersionAs("1.0.0+b")), ("words/1.0.0+b", .sameVersionAs("1.0.0"))]
        case .empty: try folder.createFolder("words/2.0.0")
        case .emptyFolders: try folder.createFolder("words/2.0.0/a/b")
        case .notUTF8: return [try notUTF8(version, in: folder)]
        case .control: return [try write("\(version)/a\nb", .controlCharacterInName, in: folder)]
        case .tooMany: return [(version, try many(10_001, below: [version], in: folder))]
        case .tooManyBelow:
            let below = ["\(version)/a", "\(version)/b"]
            return [(below[1], try many(5_000, below: below, in: folder))]
        case .tooDeep:
            try folder.write("", to: version + String(repeating: "/d", count: 17) + "/file")
            return [(version + String(repeating: "/d", count: 17), .tooDeep(limit: 16))]
        case .tooLarge:
            try folder.write("", to: "\(version)/big")
            try #require(truncate(folder.path("\(version)/big"), 4_294_967_297) == 0)
            return [("\(version)/big", .tooLarge(limit: 4_294_967_296))]
        default: break
        }
        return [("words/2.0.0", .emptyVersion)]
    }

    private func write(
        _ path: String, _ reason: ContentError.Reason, in folder: TemporaryFolder
    ) throws -> (String, ContentError.Reason) {
        try folder.write("x", to: path)
        return (path, reason)
    }

    private func link(
        _ path: String, to target: String, in folder: TemporaryFolder
    ) throws -> (String, ContentError.Reason) {
        try FileManager.default.createSymbolicLink(atPath: folder.path(path), withDestinationPath: target)
        return (path, .symbolicLink)
    }

    private func twins(
        _ parent: String, _ one: String, _ two: String, _ below: String = "", in folder: TemporaryFolder
    ) throws -> [(String, ContentError.Reason)] {
        for name in [one, two] { try folder.write("x", to: parent + name + below) }
        return [(parent + one, .sameNameAs(two)), (parent + two, .sameNameAs(one))]
    }

    private func many(_ count: Int, below: [String], in folder: TemporaryFolder) throws -> ContentError.Reason {
        for parent in below {
            try folder.createFolder(parent)
            for number in 0..<count { try Data().write(to: URL(filePath: folder.path("\(parent)/\(number)"))) }
        }
        return .tooManyEntries(limit: 10_000)
    }

    private func notUTF8(_ parent: String, in folder: TemporaryFolder) throws -> (String, ContentError.Reason) {
        let bytes = folder.path("\(parent)/a").utf8.map { CChar(bitPattern: $0) } + [CChar(bitPattern: 0xFF), 0]
        let descriptor = creat(bytes, 0o600)
        try #require(descriptor >= 0)
        close(descriptor)
        return ("\(parent)/a\u{FFFD}", .nameNotUTF8)
    }
}

@Suite struct FolderRefusalTests {
    @Test(arguments: Mistake.allCases)
    func `A mistake in the content folder stops the start with its path`(_ error: Mistake) async throws {
        let folder = try TemporaryFolder()
        try folder.write("alpha", to: "words/1.0.0/words.txt")
        let problems = try error.make(in: folder).map { ContentError(folder.path($0.path), $0.reason) }
        await #expect(throws: ContentRefusal(problems)) { try await folder.store() }
        let line = ContentRefusal(problems).description
        #expect(line.contains(folder.path) && !line.contains("\n"))
    }

    /// On a refresh, the version and every other one stay as they were.
    @Test(arguments: Mistake.allCases)
    func `A mistake in the content folder is reported once by a refresh`(_ error: Mistake) async throws {
        let folder = try TemporaryFolder()
        try folder.write("alpha", to: "words/1.0.0/words.txt")
        try folder.write("other", to: "other/1.0.0/words.txt")
        let store = try await folder.store()
        let before = store.manifest(of: "words", version: nil)
        let problems = try error.make(in: folder).map { ContentError(folder.path($0.path), $0.reason) }
        try folder.write("newer", to: "other/1.1.0/words.txt")
        let changes = await store.refresh(at: TemporaryFolder.later)
        #expect(changes.problems == problems)
        #expect(changes.added.map(\.description) == ["other 1.1.0"])
        #expect(changes.removed.isEmpty && changes.changed.isEmpty)
        #expect(before != nil && store.manifest(of: "words", version: nil) == before)
        #expect(store.bundles() == ["other", "words"])
        #expect(await store.refresh(at: TemporaryFolder.later).isEmpty)
    }

    @Test func `A missing content folder, or a file in its place, is reported`() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("content")
        await #expect(throws: ContentRefusal([ContentError(path, .missing)])) {
            try await FolderRepository(path: path, at: TemporaryFolder.later)
        }
        try folder.write("", to: "content")
        await #expect(throws: ContentRefusal([ContentError(path, .notAFolder)])) {
            try await FolderRepository(path: path, at: TemporaryFolder.later)
        }
        #expect(ContentRefusal([ContentError(path, .missing)]).description == "\(path): there is no such folder")
    }

    /// Neither the content folder nor that of a bundle: the list of what is there is held in memory.
    @Test(arguments: ["", "words"]) func `A folder with too many folders is refused`(parent: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write("alpha", to: "words/1.0.0/words.txt")
        for number in 0...FolderListing.maximumEntries {
            try #require(mkdir(folder.path("\(parent)/\(number).1.0"), 0o700) == 0)
        }
        let path = parent.isEmpty ? folder.path : folder.path(parent)
        let refusal = await #expect(throws: ContentRefusal.self) { try await folder.store() }
        #expect(refusal?.problems.map(\.reason) == [.tooManyEntries(limit: 10_000)])
        #expect(refusal?.problems.first?.description.hasPrefix(path) == true)
    }

    @Test func `All mistakes are found at once and at most a hundred reported`() async throws {
        let folder = try TemporaryFolder()
        for number in 0..<150 { try folder.write("x", to: "words/\(number)/words.txt") }
        let refusal = await #expect(throws: ContentRefusal.self) { try await folder.store() }
        #expect(refusal?.problems.count == 100)
        #expect(refusal?.description.hasSuffix("such as 1.0.0 (and 99 more)") == true)
        #expect(refusal?.description.contains("\n") == false)
    }
}
