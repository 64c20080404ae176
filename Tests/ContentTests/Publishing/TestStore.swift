import Crypto
import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ObjectStore
import TestSupport
import Testing

@testable import Content

/// A content folder or a bucket to publish into, folders to publish from, and a ledger for the trail.
final class TestStore {
    static let date = Date(timeIntervalSince1970: 1_795_000_000)
    static let act = PublishingAct(by: .command(user: "alice"), at: date)

    let content: TemporaryFolder
    /// The place to publish into: the folder, unless a bucket was asked for.
    let place: ContentPlace
    let sources: TemporaryFolder
    let ledger: SQLLedger
    let publisher: ContentPublisher
    let collector: ContentCollector

    init(in bucket: ObjectClient? = nil) throws {
        content = try TemporaryFolder()
        sources = try TemporaryFolder()
        ledger = try SQLiteLedger.inMemory(handlers: [])
        place = bucket.map(ContentPlace.bucket) ?? .folder(content.path)
        publisher = ContentPublisher(content: place, trail: ledger)
        collector = ContentCollector(content: place)
    }

    /// A folder with these files, by their paths.
    func source(_ files: [String: String]) throws -> String {
        let name = UUID().uuidString
        for (path, text) in files { try sources.write(text, to: "\(name)/\(path)") }
        return sources.path(name)
    }

    @discardableResult
    func publish(_ version: String, _ files: [String: String], isPatch: Bool = false) async throws -> PublishingOutcome
    {
        try await publisher.publish(source(files), as: plan(version, isPatch: isPatch), Self.act)
    }

    func plan(_ version: String, isPatch: Bool = false) throws -> VersionPlan {
        VersionPlan(bundle: "words", version: try #require(SemanticVersion(version)), isPatch: isPatch)
    }

    func manifest(_ version: String, _ files: [String: String]) throws -> Manifest {
        try plan(version).manifest(
            files: files.map { Manifest.File(path: $0, size: $1.utf8.count, sha256: Self.sha256($1)) })
    }

    static func sha256(_ text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).map { String(format: "%02x", $0) }.joined()
    }

    /// The texts of the version's files as a server that starts now would send them, by their paths.
    func served(_ version: String? = nil) async throws -> [String: String]? {
        let store = try await content.store()
        let version = version.flatMap { SemanticVersion($0) }
        guard let manifest = store.manifest(of: "words", version: version) else { return nil }
        return try manifest.files.reduce(into: [:]) { texts, file in
            guard case .file(let path, let size) = store.location(of: file.sha256) else { return }
            #expect(size == file.size)
            texts[file.path] = try String(contentsOfFile: path, encoding: .utf8)
        }
    }

    func newest() async throws -> String? {
        try await content.store().manifest(of: "words", version: nil)?.version.description
    }

    /// The paths of everything below `.store` except folders.
    func stored(_ folder: String) throws -> [String] {
        let root = content.url.appending(path: ".store/\(folder)")
        return try FileManager.default.subpathsOfDirectory(atPath: root.path(percentEncoded: false))
            .filter { name in
                var isFolder: ObjCBool = false
                let path = root.appending(path: name).path(percentEncoded: false)
                return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            }
            .sorted()
    }

    func trail() async throws -> [AuditRow] { try await ledger.auditRows(after: 0, limit: 1_000) }
}

extension ContentChanges {
    /// Nothing to report.
    var isEmpty: Bool { added.isEmpty && changed.isEmpty && removed.isEmpty && problems.isEmpty }
}
