import AsyncHTTPClient
import Content
import Foundation
import InAppPurchase
import NIOCore
import NIOHTTP1
import ServerCore
import ServerHTTP

extension RemoteServer {
    /// The number of attempts to send a file in a row that bring no byte of it to the server.
    private static let maximumFailures = 5
    private static let pause = Duration.seconds(1)
    /// The server ends a request after a shorter time, and the next one goes on where it ended.
    private static let uploadTimeout = TimeAmount.hours(1)

    /// The bundles of the server, by name.
    func bundles() async throws -> [AdminBundleListBody.Entry] {
        var (all, after): ([AdminBundleListBody.Entry], String?) = ([], nil)
        repeat {
            let page: AdminBundleListBody = try await decoded(.get("bundles", query: ["after": after]))
            all += page.bundles
            after = page.next
        } while after != nil
        return all
    }

    /// The versions of a bundle, in ascending order.
    func versions(of bundle: BundleName) async throws -> [VersionBody] {
        try await decoded(.get("bundles", bundle.text, "versions"), as: VersionListBody.self).versions
    }

    /// Yanks, restores or promotes a version, as the last part of the path says, or publishes a draft.
    ///
    /// - Returns: the version, and whether it was another before.
    func change(
        _ version: SemanticVersion, of bundle: BundleName, _ act: String
    ) async throws -> (version: VersionBody, isChanged: Bool) {
        let before = try await versions(of: bundle).first { $0.version == version.description }
        let after: VersionBody = try await decoded(
            .send(["bundles", bundle.text, "versions", version.description, act]))
        return (after, before?.state != after.state || before?.channel != after.channel)
    }

    /// Publishes a folder: creates a draft, sends the files that the server has not, and publishes it.
    ///
    /// - Parameter progress: called with what was sent so far.
    /// - Returns: the version, and whether it is new.
    /// - Throws: ``/ServerCore/CommandError``; what was sent is used by the next attempt.
    func publish(
        _ source: SourceFolder, as plan: VersionPlan, progress: (CommandProgress) -> Void
    ) async throws -> (version: VersionBody, isChanged: Bool) {
        var question = try RemoteQuestion.send(["bundles", plan.bundle.text, "versions"])
        question.body = Data(try DraftBody(plan, files: source.manifestFiles).json.utf8)
        let draft: VersionBody = try await decoded(question)
        guard draft.state == .draft else { return (draft, false) }
        let missing = Set(draft.missing ?? [])
        let files = Dictionary(source.manifestFiles.map { ($0.sha256, $0) }) { first, _ in first }
            .filter { missing.contains($0.key) }.sorted { $0.value.path < $1.value.path }
        let total = files.reduce(0) { $0.saturatingAdding($1.value.size) }
        var sent = 0
        for (sha256, file) in files {
            guard let path = source.location(of: sha256) else { continue }
            try await upload(path, sha256, file.size) {
                progress(CommandProgress(verb: "sent", unit: .bytes, done: sent.saturatingAdding($0), total: total))
            }
            sent = sent.saturatingAdding(file.size)
        }
        return try await change(plan.version, of: plan.bundle, "publish")
    }

    /// Sends a file from where the server has it, until it has all of it.
    private func upload(_ path: String, _ sha256: String, _ size: Int, progress: (Int) -> Void) async throws {
        var (failures, offset) = (0, -1)
        while true {
            let state = try await ask(RemoteQuestion(method: .HEAD, path: ["content", sha256]))
            guard !state.isComplete else { return progress(size) }
            if state.offset > offset { failures = 0 }
            offset = state.offset
            progress(offset)
            let question = RemoteQuestion(
                method: .PATCH, path: ["content", sha256], headers: ["Upload-Offset": "\(offset)"])
            let parts = FileParts(path: path, offset: UInt64(clamping: offset))
            let body = HTTPClientRequest.Body.stream(parts, length: .known(Int64(max(0, size - offset))))
            do {
                let answer = try await ask(question, body, within: Self.uploadTimeout)
                guard !answer.isComplete else { return progress(size) }
            } catch {
                failures += 1
                guard failures < Self.maximumFailures else { throw error }
                try await Task.sleep(for: Self.pause)
            }
        }
    }
}

extension RemoteServer.Answer {
    /// Whether all of a file has arrived.
    fileprivate var isComplete: Bool { headers.first(name: "Upload-Complete") == "?1" }
    /// The number of bytes that have arrived.
    fileprivate var offset: Int { headers.first(name: "Upload-Offset").flatMap { Int($0) } ?? 0 }
}

extension DraftBody {
    fileprivate init(_ plan: VersionPlan, files: [Manifest.File]) {
        self.init(
            version: plan.version.description, files: files, minimumAppVersion: plan.minimumAppVersion?.description,
            maximumAppVersion: plan.maximumAppVersion?.description, locale: plan.locale,
            essential: plan.isEssential ? true : nil, languages: plan.languages.isEmpty ? nil : plan.languages,
            patch: plan.isPatch ? true : nil, channel: plan.channel)
    }
}

/// The rest of a file, in parts that are read when the one before was sent.
private struct FileParts: AsyncSequence, Sendable {
    /// In bytes.
    private static let size = 1 << 18

    let path: String
    let offset: UInt64

    struct Iterator: AsyncIteratorProtocol {
        let parts: FileParts
        var file: FileHandle?

        mutating func next() async throws -> ByteBuffer? {
            let file = try file ?? open()
            guard let bytes = try file.read(upToCount: FileParts.size), !bytes.isEmpty else { return nil }
            return ByteBuffer(bytes: bytes)
        }

        private mutating func open() throws -> FileHandle {
            let opened = try FileHandle(forReadingFrom: URL(filePath: parts.path))
            try opened.seek(toOffset: parts.offset)
            file = opened
            return opened
        }
    }

    func makeAsyncIterator() -> Iterator { Iterator(parts: self) }
}
