package import Content
package import Foundation
import NIOCore
import NIOPosix
import ServerHTTP
import ServiceLifecycle
import Synchronization

/// A cache of the files that are requested most: open, or in memory up to a size, each with the head of its response.
///
/// Files are addressed by their hash, so an entry never becomes stale; but a file may be overwritten or deleted. The
/// content repository is asked about each file once a second, and files that it no longer has are removed.
package final class ContentCache: PeriodicService {
    /// In bytes. Larger files are sent without a copy (`sendfile`). Up to this size that took twice the time of sending
    /// bytes in memory: the system handles a file page by page.
    static let readyBytes = 1 << 20
    /// The maximum bytes of all files in memory together: enough for a word pack of every size, and little for any
    /// machine.
    static let maximumReadyBytes = 64 << 20
    package static let interval = Duration.seconds(1)
    /// In seconds. A file that was not checked for longer is not served from the cache.
    static let freshSeconds: TimeInterval = 3
    /// In seconds. A file that is not requested for so long is closed, so that a deleted one frees its disk space.
    static let idleSeconds: TimeInterval = 60

    package let content: any ContentRepository
    /// Whether large files may be sent without a copy.
    private let sendfile: Bool
    private let maximumFiles: Int
    private let clock: @Sendable () -> Date
    /// The files by the opaque part of their entity tags.
    private let files = Mutex<[String: CachedFile]>([:])

    /// - Parameter maximumFiles: fewer if the system allows the process few open files.
    package init(
        _ content: any ContentRepository, sendfile: Bool, maximumFiles: Int = Limits.openFiles,
        clock: @escaping @Sendable () -> Date
    ) {
        self.content = content
        self.sendfile = sendfile
        self.maximumFiles = maximumFiles
        self.clock = clock
    }

    package var count: Int { files.withLock { $0.count } }

    /// The representation with this entity tag, which for the file itself is its SHA-256; `nil` if it is not cached or
    /// was not checked lately.
    package func file(_ etag: String, at date: Date) -> CachedFile? {
        guard let file = files.withLock({ $0[etag] }), file.isFresh(at: date) else { return nil }
        file.use(at: date)
        return file
    }

    /// Opens the file for later requests; if it is cached already, only records that it is still there.
    ///
    /// - Parameter location: what the content repository just returned.
    package func insert(_ chosen: Representation, at location: ContentLocation, _ date: Date) async {
        guard case .file(let path, let size) = location, size > 0, sendfile || size <= Self.readyBytes else { return }
        if let known = files.withLock({ $0[chosen.etag] }), known.location == location, known.representation == chosen {
            return known.check(at: date)
        }
        let opened = try? await NIOThreadPool.singleton.runIfActive { () -> CachedFile.Bytes? in
            guard let open = OpenContent(path: path, size: size) else { return nil }
            return size <= Self.readyBytes ? open.read().map { .ready(ByteBuffer(bytes: $0)) } : .open(open)
        }
        // Asked again, since another file may have replaced it before it was opened.
        guard let bytes = opened ?? nil, (try? await content.location(of: chosen.bytesSHA256)) == location else {
            return
        }
        let file = CachedFile(chosen, location: location, size: size, bytes: bytes, at: date)
        files.withLock { $0.add(file, most: maximumFiles) }
    }

    /// Asks the content repository about each file, and removes those that it no longer has or that are idle.
    package func refresh(at date: Date) async {
        for (etag, file) in files.withLock({ $0 }) {
            if await isCurrent(file), !file.isIdle(at: date) {
                file.check(at: date)
            } else {
                files.withLock { if $0[etag] === file { $0.remove(etag) } }
            }
        }
    }

    private func isCurrent(_ file: CachedFile) async -> Bool {
        let chosen = file.representation
        guard (try? await content.location(of: chosen.bytesSHA256)) == file.location else { return false }
        return (try? await content.variants(of: chosen.sha256)) == chosen.variants
    }

    package func runOnce() async { await refresh(at: clock()) }
}

extension [String: CachedFile] {
    /// Adds a file, and makes room by removing the least recently used ones.
    fileprivate mutating func add(_ file: CachedFile, most: Int) {
        remove(file.representation.etag)
        self[file.representation.etag] = file
        var ready = values.reduce(0) { $0 + $1.readyBytes }
        while count > most || ready > ContentCache.maximumReadyBytes,
            let oldest = values.filter({ $0 !== file }).min(by: { $0.lastUse < $1.lastUse })
        {
            remove(oldest.representation.etag)
            ready -= oldest.readyBytes
        }
    }

    /// Removes a file; prepared responses with it are no longer valid.
    fileprivate mutating func remove(_ etag: String) { removeValue(forKey: etag)?.retire() }
}
