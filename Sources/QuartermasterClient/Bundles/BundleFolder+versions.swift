import Foundation

extension BundleFolder {
    /// Creates the folder of a version from complete files. Nothing refers to it before its record is written.
    ///
    /// - Throws: an error of the file system; what was created by then is removed.
    func assemble(_ files: [SignedManifest.File], at version: URL) throws {
        do {
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            var folders = [version, version.deletingLastPathComponent()]
            var known: Set<String> = []
            for file in files {
                var path = ""
                for part in file.path.split(separator: "/").dropLast() {
                    path += part + "/"
                    guard known.insert(path).inserted else { continue }
                    let folder = version.appendingPathComponent(path)
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                    folders.append(folder)
                }
                try link(object(file.sha256), to: version.appendingPathComponent(file.path))
            }
            for folder in folders { DurableFile.synchronize(folder: folder) }
        } catch {
            try? FileManager.default.removeItem(at: version)
            throw error
        }
    }

    /// Whether every file of the version is there with its size.
    func isComplete(_ record: BundleRecord) -> Bool {
        let folder = version(record.folder, of: record.bundle)
        return record.files.allSatisfy { PartialFile.size(of: folder.appendingPathComponent($0.path)) == $0.size }
    }

    /// Adds a downloaded file to the files that versions are assembled from. Its hash was compared.
    func adopt(_ file: URL, as hash: ContentHash) throws {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        try handle.synchronize()
        // Versions share it: an app that writes into one would change the others.
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: file.path)
        let target = object(hash)
        try DurableFile.rename(file, to: target)
        DurableFile.synchronize(folder: target.deletingLastPathComponent())
    }

    /// Whether the file is here and intact. One that a version shares may have been written to, so it is read again; if
    /// it is wrong, it is removed.
    func hasObject(_ hash: ContentHash, size: Int) throws -> Bool {
        let file = object(hash)
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path) else { return false }
        let isShared = (attributes[.referenceCount] as? NSNumber)?.intValue != 1
        let hasSize = (attributes[.size] as? NSNumber)?.int64Value == Int64(size)
        if hasSize, try !isShared || ContentHash(of: file) == hash { return true }
        try FileManager.default.removeItem(at: file)
        return false
    }

    /// Changes the record of a download, which protects its content from removal until it has ended.
    ///
    /// - Parameter now: for a record that is made by this.
    @discardableResult
    func change(
        _ bundle: String, now: Date, _ body: (inout UnfinishedDownload) -> Void
    ) throws -> UnfinishedDownload {
        try needs.withLock {
            let file = unfinished(bundle)
            var download = try file.load() ?? UnfinishedDownload(bundle: bundle, at: now)
            body(&download)
            try file.save(download)
            return download
        }
    }

    /// Removes what neither a record nor an unfinished download needs. As long as one of these cannot be read, nothing
    /// is removed.
    ///
    /// - Parameters:
    ///   - isHeld: whether somebody still reads the version in a folder.
    ///   - now: unfinished downloads that are too old by then are forgotten.
    func removeUnneeded(isHeld: (URL) -> Bool, now: Date) {
        needs.lock()
        defer { needs.unlock() }
        guard let records = try? records(), let downloads = try? unfinishedDownloads() else { return }
        for download in downloads where abs(now.timeIntervalSince(download.at)) >= BundleLimits.unfinishedAge {
            unfinished(download.bundle).remove()
        }
        let installed = Set(records.map { version($0.folder, of: $0.bundle).path })
        for url in versions() where !installed.contains(url.path) && !isHeld(url) {
            try? FileManager.default.removeItem(at: url)
        }
        let current = downloads.filter { abs(now.timeIntervalSince($0.at)) < BundleLimits.unfinishedAge }
        let unfinished = current.reduce(into: Set<ContentHash>()) { $0.formUnion($1.content) }
        let needed = records.reduce(into: unfinished) { $0.formUnion($1.files.map(\.sha256)) }
        remove(in: "objects", except: needed)
        remove(in: "partial", except: unfinished)
        for name in ["bundles", "unfinished", "remembered"] { removeTemporaryFiles(in: name, before: now) }
    }

    private func remove(in folder: String, except needed: Set<ContentHash>) {
        for url in contents(folder) {
            if let hash = ContentHash(url.lastPathComponent), needed.contains(hash) { continue }
            try? FileManager.default.removeItem(at: url)
        }
    }

    /// Removes the files that ``DurableFile`` left beside others when the process ended, at least an hour ago.
    private func removeTemporaryFiles(in folder: String, before now: Date) {
        for url in contents(folder) where url.pathExtension != "json" {
            let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
            guard let date = attributes?[.modificationDate] as? Date, abs(now.timeIntervalSince(date)) > 3_600 else {
                continue
            }
            try? FileManager.default.removeItem(at: url)
        }
    }

    private func link(_ file: URL, to target: URL) throws {
        do {
            try FileManager.default.linkItem(at: file, to: target)
        } catch {
            // The file system has no hard links.
            guard !FileManager.default.fileExists(atPath: target.path) else { throw error }
            try FileManager.default.copyItem(at: file, to: target)
        }
    }
}
