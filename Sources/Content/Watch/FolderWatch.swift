import Foundation
import Synchronization
import SystemPackage

/// Tells whether the content folder must be scanned again: a scan asks for the properties of every file, and the kernel
/// knows when there is nothing to find.
///
/// If the kernel cannot tell, every scan is due, as if there were no watch.
final class FolderWatch: Sendable {
    /// The maximum number of watched folders. Each takes about 1 KiB of the kernel's memory.
    static let maximumFolders = 16_384
    /// The time in seconds after which a scan is due without an event: a file may change without one, through a mapping
    /// or through another name of it elsewhere. Also the time between attempts to watch.
    static let scanInterval: TimeInterval = 60

    private struct State {
        /// `nil` if nothing is watched.
        var inotify: Inotify?
        var watches: Set<Int32> = []
        /// The folder that is watched, which another one may replace under its name.
        var root: FileIdentity?
        var lastScan: Date?
        var lastAttempt: Date?
    }

    private struct Report {
        var problem: WatchError?
        var reported: WatchError?
    }

    private let folder: FilePath
    private let maximumFolders: Int
    private let state = Mutex(State())
    // Apart from the state, whose lock is held while folders are visited.
    private let isSuspected = Atomic(false)
    private let report = Mutex(Report())

    /// Watches nothing yet.
    init(_ folder: FilePath, maximumFolders: Int = FolderWatch.maximumFolders) {
        self.folder = folder
        self.maximumFolders = maximumFolders
    }

    deinit { state.withLock { $0.inotify?.close() } }

    /// Makes the next scan due.
    func suspect() { isSuspected.store(true, ordering: .relaxed) }

    /// The reason why nothing is watched; each is returned once.
    func newProblem() -> WatchError? {
        report.withLock { report in
            defer { report.reported = report.problem }
            return report.problem == report.reported ? nil : report.problem
        }
    }

    /// Whether a scan that begins now may find changes. It finds all that happened before the call; the next call
    /// reports what happens after it. Blocks for as long as the disk takes if it returns `true`.
    func isScanDue(at date: Date) -> Bool {
        state.withLock { state in
            let isDue = hasChanges(&state) || isPast(state.lastScan, at: date)
            guard isSuspected.exchange(false, ordering: .relaxed) || isDue else { return false }
            state.lastScan = date
            if state.inotify != nil || isPast(state.lastAttempt, at: date) {
                state.lastAttempt = date
                watchAll(&state)
            }
            return true
        }
    }

    private func isPast(_ last: Date?, at date: Date) -> Bool {
        // A clock may be set back.
        last.map { abs(date.timeIntervalSince($0)) >= Self.scanInterval } ?? true
    }

    /// Whether the kernel reports changes; also `true` if nothing is watched.
    private func hasChanges(_ state: inout State) -> Bool {
        guard let inotify = state.inotify else { return true }
        do {
            return try inotify.readChanges() || state.root != FileIdentity(ofFolderAt: folder)
        } catch {
            return true
        }
    }

    /// Watches the folder and all folders in it, and ends the watches of folders that are no longer in it.
    private func watchAll(_ state: inout State) {
        let problem: WatchError?
        do throws(WatchError) {
            try requireTellingFileSystem()
            let inotify: Inotify
            if let open = state.inotify { inotify = open } else { inotify = try newInotify() }
            state.inotify = inotify
            state.root = FileIdentity(ofFolderAt: folder)
            let watches = try watches(of: inotify)
            for gone in state.watches.subtracting(watches) { inotify.forget(gone) }
            state.watches = watches
            problem = nil
        } catch {
            state.inotify?.close()
            state.inotify = nil
            state.watches = []
            problem = error
        }
        report.withLock { $0.problem = problem }
    }

    private func newInotify() throws(WatchError) -> Inotify {
        do { return try Inotify() } catch { throw .refused(nil, error) }
    }

    private func requireTellingFileSystem() throws(WatchError) {
        guard let mounts = MountTable.current() else { throw .noMounts }
        guard let path = realpath(folder.string, nil) else { throw .refused(folder, Errno(rawValue: errno)) }
        defer { free(path) }
        if let type = mounts.unwatchableType(in: String(cString: path)) { throw .fileSystem(type) }
    }

    private func watches(of inotify: Inotify) throws(WatchError) -> Set<Int32> {
        var (watches, rest): (Set<Int32>, [FilePath]) = ([], [folder])
        while let next = rest.popLast() {
            do throws(Errno) {
                // Before it is listed: what is created in it afterwards is reported.
                watches.insert(try inotify.watch(next, followsLink: next == folder))
                rest += try SubfolderListing.subfolders(of: next).filter { $0 != unwatched }
            } catch {
                // Removed or replaced since its parent was listed, which is reported.
                let isGone = error == .noSuchFileOrDirectory || error == .notDirectory
                guard isGone, next != folder else { throw WatchError.refused(next, error) }
            }
            guard watches.count <= maximumFolders else { throw .tooManyFolders(limit: maximumFolders) }
        }
        return watches
    }

    /// The folder that is not watched. Nothing in it is served: what is written there is moved away when it is
    /// complete.
    private var unwatched: FilePath { RepositoryFolder(content: folder).incoming }
}

/// The device and inode of a folder, which stay with it when it is renamed.
private struct FileIdentity: Hashable {
    let device: UInt64
    let inode: UInt64

    /// - Parameter path: may be a symbolic link.
    init?(ofFolderAt path: FilePath) {
        guard let status = try? path.stat() else { return nil }
        device = UInt64(truncatingIfNeeded: status.deviceID.rawValue)
        inode = UInt64(status.inode.rawValue)
    }
}

/// The reason why changes of the content folder are not reported.
enum WatchError: Error, Hashable, CustomStringConvertible {
    /// The folder is on a file system of this type, or has one in it.
    case fileSystem(String)
    case tooManyFolders(limit: Int)
    /// The system does not list its file systems.
    case noMounts
    /// The system's error, at a folder or at none.
    case refused(FilePath?, Errno)

    var description: String {
        switch self {
        case .fileSystem(let type): "a file system of the type \(type) does not tell of all changes"
        case .tooManyFolders(let limit): "more than \(limit) folders"
        case .noMounts: "the file systems are not listed in /proc"
        case .refused(_, .noSpace): "no watches are left, see fs.inotify.max_user_watches"
        case .refused(_, .tooManyOpenFiles): "no instances are left, see fs.inotify.max_user_instances"
        case .refused(let folder, let error): folder.map { "\($0): \(error)" } ?? "\(error)"
        }
    }
}
