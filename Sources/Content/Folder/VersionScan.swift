import Foundation
import SystemPackage

/// The files of a version's folder. Any problem makes the whole version invalid: players never get a part of one.
struct VersionScan {
    /// The maximum depth of nested folders; no app needs more, and cycles end.
    static let maximumDepth = 16
    /// The maximum size of one file, in bytes: 4 GiB, about what an app itself may have in the App Store.
    static let maximumFileBytes = 4 << 30

    /// All files in and below the folder, with their paths relative to it. Not read yet.
    private(set) var files: [(path: String, location: FilePath, stamp: FileStamp)] = []
    /// When a file was last written, renamed or linked, whatever its modification time says.
    private(set) var lastWritten = Date.distantPast

    private var entries = 0

    init(of folder: FilePath) throws(ContentError) {
        try visit(folder, prefix: "", depth: 0)
        guard !files.isEmpty else { throw ContentError(folder.string, .emptyVersion) }
    }

    private mutating func visit(_ folder: FilePath, prefix: String, depth: Int) throws(ContentError) {
        guard depth <= Self.maximumDepth else { throw ContentError(folder.string, .tooDeep(limit: Self.maximumDepth)) }
        let listing = try FolderListing(of: folder)
        if let first = listing.problems.first { throw first.problem }
        entries += listing.entries.count
        guard entries <= FolderListing.maximumEntries else {
            throw ContentError(folder.string, .tooManyEntries(limit: FolderListing.maximumEntries))
        }
        for entry in listing.entries {
            let path = prefix + entry.name
            if entry.status.type == .directory {
                try visit(entry.path, prefix: path + "/", depth: depth + 1)
            } else {
                try add(path, at: entry.path, stamp: FileStamp(entry.status))
                lastWritten = max(lastWritten, Date(timeIntervalSince1970: Double(entry.status.st_ctim.tv_sec)))
            }
        }
    }

    private mutating func add(_ path: String, at location: FilePath, stamp: FileStamp) throws(ContentError) {
        guard stamp.size <= Self.maximumFileBytes else {
            throw ContentError(location.string, .tooLarge(limit: Self.maximumFileBytes))
        }
        files.append((path, location, stamp))
    }
}
