import Foundation

/// The download of one file: by a patch if there is one, otherwise whole. Its bytes are read from the disk and compared
/// with its hash before anything uses them.
struct FileDownload: Sendable {
    let tools: DownloadTools
    let item: DownloadPlan.Item
    let networks: AllowedNetworks
    /// Whether it comes before the files of other downloads.
    let isFirst: Bool
    /// Called with the number of bytes that arrived.
    let received: @Sendable (Int) -> Void
    /// Called with the number of bytes that are fetched beyond those planned.
    let total: @Sendable (Int) -> Void

    private var folder: BundleFolder { tools.folder }

    /// - Throws: ``ContentRefusal/link``, ``DownloadError``, `CancellationError`, or an error of the file system.
    func run() async throws {
        let file = item.file
        try await tools.turns.run(for: file.sha256, isFirst: isFirst) {
            // Another bundle may have brought it meanwhile.
            if PartialFile.size(of: folder.object(file.sha256)) == file.size {
                return received(item.bytes - item.present)
            }
            if let patch = item.patch, try await isMade(by: patch) { return }
            try await fetchWhole()
        }
    }

    /// Whether the patch made the file. A failure, for whatever reason, is no error: the whole file can be fetched.
    private func isMade(by patch: ManifestAnswer.Patch) async throws -> Bool {
        let partial = folder.partial(patch.sha256)
        let job = ContentFetch.Job(
            sha256: patch.sha256, size: patch.size, link: patch.url, file: partial,
            networks: networks, attempts: BundleLimits.fruitlessPatchAttempts)
        var isMade = false
        do {
            try await tools.fetch.run(job, received: received)
            isMade = try await FileWork.run { applyPatch(patch) }
        } catch  where error is ContentRefusal || error as? DownloadError == .offline {
            // The patch may be gone while the file is there; if there is no network, the file's link says so.
        }
        try? FileManager.default.removeItem(at: partial)
        if !isMade { total(item.file.size) }
        return isMade
    }

    private func applyPatch(_ patch: ManifestAnswer.Patch) -> Bool {
        let target = folder.patched(item.file.sha256)
        try? FileManager.default.removeItem(at: target)
        defer { try? FileManager.default.removeItem(at: target) }
        do {
            let partial = folder.partial(patch.sha256)
            guard try ContentHash(of: partial) == patch.sha256, let decoder = tools.patches else { return false }
            try decoder.apply(partial, to: folder.object(patch.from), writing: target, size: item.file.size)
            guard PartialFile.size(of: target) == item.file.size, try ContentHash(of: target) == item.file.sha256 else {
                return false
            }
            try folder.adopt(target, as: item.file.sha256)
            try? FileManager.default.removeItem(at: folder.partial(item.file.sha256))
            return true
        } catch {
            return false
        }
    }

    /// Wrong bytes are fetched once again: an earlier launch, or a proxy, may have left them.
    private func fetchWhole() async throws {
        if try await isFetched() { return }
        if try await isFetched() { return }
        throw DownloadError.corrupted(path: item.file.path)
    }

    private func isFetched() async throws -> Bool {
        let file = item.file
        let partial = folder.partial(file.sha256)
        let job = ContentFetch.Job(
            sha256: file.sha256, size: file.size, link: item.link, file: partial, networks: networks)
        try await tools.fetch.run(job, received: received)
        let isRight = try await FileWork.run {
            guard try ContentHash(of: partial) == file.sha256 else {
                try FileManager.default.removeItem(at: partial)
                return false
            }
            try folder.adopt(partial, as: file.sha256)
            return true
        }
        if !isRight { received(-file.size) }
        return isRight
    }
}
