import Content
import Foundation
import NIOCore
import NIOPosix
import ServiceLifecycle
import Synchronization

/// The files that are asked for most: open, small ones as bytes, each with the head of its answer.
///
/// Files are known by their hash, so what is in here never gets old; but somebody may write into a file, or take it
/// away. The content store is asked about each once a second, and what it does not have any more is forgotten.
final class ContentCache: Service {
    /// Together less than the open files that a system allows without being asked (1,024).
    static let maximumFiles = 512
    /// Larger ones go from the file to the connection without a copy, which pays from here on.
    static let readyBytes = 64 << 10
    /// Of all small files together: what a word pack of every size needs, and no machine misses.
    static let maximumReadyBytes = 32 << 20
    static let checkInterval = Duration.seconds(1)
    /// A file that was not looked at for longer is not served from here.
    static let freshSeconds: TimeInterval = 3
    /// A file that nobody asks for is closed, so that a deleted one frees its disk.
    static let idleSeconds: TimeInterval = 60

    let content: any ContentRepository
    /// Whether large files may go to the connection without a copy.
    private let sendfile: Bool
    private let maximumFiles: Int
    private let clock: @Sendable () -> Date
    /// By what stands in their entity tags.
    private let files = Mutex<[String: CachedFile]>([:])

    /// - Parameter maximumFiles: less where the system lets the process have few.
    init(
        _ content: any ContentRepository, sendfile: Bool, maximumFiles: Int = maximumFiles,
        clock: @escaping @Sendable () -> Date
    ) {
        self.content = content
        self.sendfile = sendfile
        self.maximumFiles = maximumFiles
        self.clock = clock
    }

    var count: Int { files.withLock { $0.count } }

    /// The representation with this entity tag, which of a file itself is its SHA-256, where it was looked at lately.
    func file(_ etag: String, at date: Date) -> CachedFile? {
        guard let file = files.withLock({ $0[etag] }), file.isFresh(at: date) else { return nil }
        file.use(at: date)
        return file
    }

    /// Opens the file for those who ask next; the second time it only notes that it is still there.
    ///
    /// - Parameter location: what the store just said.
    func insert(_ chosen: Representation, at location: ContentLocation, _ date: Date) async {
        guard case .file(let path, let size) = location, size > 0, sendfile || size <= Self.readyBytes else { return }
        if let known = files.withLock({ $0[chosen.etag] }), known.location == location, known.representation == chosen {
            return known.check(at: date)
        }
        let opened = try? await NIOThreadPool.singleton.runIfActive { () -> CachedFile.Bytes? in
            guard let open = OpenContent(path: path, size: size) else { return nil }
            return size <= Self.readyBytes ? open.read().map { .ready(ByteBuffer(bytes: $0)) } : .open(open)
        }
        // Asked again, since another file may have taken its place before it was open.
        guard let bytes = opened ?? nil, (try? await content.location(of: chosen.bytesSHA256)) == location else {
            return
        }
        let file = CachedFile(chosen, location: location, size: size, bytes: bytes, at: date)
        files.withLock { $0.add(file, most: maximumFiles) }
    }

    /// Asks the store about each file, and forgets those that it does not have or that nobody asks for.
    func refresh(at date: Date) async {
        for (etag, file) in files.withLock({ $0 }) {
            if await isCurrent(file), !file.isIdle(at: date) {
                file.check(at: date)
            } else {
                files.withLock { if $0[etag] === file { $0[etag] = nil } }
            }
        }
    }

    private func isCurrent(_ file: CachedFile) async -> Bool {
        let chosen = file.representation
        guard (try? await content.location(of: chosen.bytesSHA256)) == file.location else { return false }
        return (try? await content.variants(of: chosen.sha256)) == chosen.variants
    }

    func run() async throws {
        try? await cancelWhenGracefulShutdown { [self] in
            while true {
                try await Task.sleep(for: Self.checkInterval)
                await refresh(at: clock())
            }
        }
    }
}

extension [String: CachedFile] {
    /// Makes room by forgetting those that were asked for longest ago.
    fileprivate mutating func add(_ file: CachedFile, most: Int) {
        self[file.representation.etag] = file
        var ready = values.reduce(0) { $0 + $1.readyBytes }
        while count > most || ready > ContentCache.maximumReadyBytes,
            let oldest = values.filter({ $0 !== file }).min(by: { $0.lastUse < $1.lastUse })
        {
            self[oldest.representation.etag] = nil
            ready -= oldest.readyBytes
        }
    }
}
