import Foundation

/// The state of one download: its task, its progress and its watchers.
///
/// `@unchecked Sendable`: all members that change are read and written with `lock` held alone.
final class DownloadControl: @unchecked Sendable {
    /// How a running download is to end.
    enum Wish: Sendable {
        case pause
        case cancel
    }

    private let lock = NSLock()
    private let onChange: @Sendable (DownloadProgress) -> Void
    private var latest: DownloadProgress
    private var shown = 0
    private var watchers: [UUID: AsyncStream<DownloadProgress>.Continuation] = [:]
    private var task: Task<Void, Never>?
    private var wish: Wish?
    private var options = Options()

    /// How a download is to run.
    struct Options: Sendable {
        var network = DownloadNetwork.any
        /// Whether its files come before those of others.
        var isFirst = false
    }

    /// - Parameter onChange: called with the lock held, so it must not ask for the progress.
    init(_ progress: DownloadProgress, onChange: @escaping @Sendable (DownloadProgress) -> Void) {
        latest = progress
        self.onChange = onChange
    }

    var progress: DownloadProgress { lock.withLock { latest } }

    /// How it is to run from now on.
    var wanted: Options { lock.withLock { options } }

    func want(_ options: Options) { lock.withLock { self.options = options } }

    /// The latest progress, then each change. A slow reader misses all but the newest.
    func watch() -> AsyncStream<DownloadProgress> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: DownloadProgress.self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in self?.lock.withLock { self?.watchers[id] = nil } }
        let isOver = lock.withLock {
            continuation.yield(latest)
            if !latest.isLast { watchers[id] = continuation }
            return latest.isLast
        }
        if isOver { continuation.finish() }
        return stream
    }

    /// Starts the work, unless it runs or is over.
    func start(_ work: @escaping @Sendable () async -> Void) {
        lock.withLock {
            guard task == nil, wish != .cancel, !latest.isLast else { return }
            wish = nil
            task = Task(operation: work)
        }
    }

    /// Whether it ends by being cancelled. Then it cannot be started again.
    var isCancelled: Bool { lock.withLock { wish == .cancel } }

    /// Stops the running work, and waits until it has ended.
    ///
    /// - Returns: whether there was any.
    func stop(_ wish: Wish) async -> Bool {
        let task = lock.withLock {
            if self.wish != .cancel, self.task != nil || wish == .cancel { self.wish = wish }
            return self.task
        }
        task?.cancel()
        await task?.value
        return task != nil
    }

    /// Records that the work has ended; it may be started again unless the phase is the last one.
    ///
    /// - Parameter phase: returns the phase, depending on how the work was told to end, if it was.
    func end(_ phase: (Wish?) -> DownloadProgress.Phase) {
        update { progress in
            task = nil
            progress.phase = phase(wish)
        }
    }

    /// Counts bytes. Watchers are told about a hundred times in a download, not of every byte.
    func receive(_ bytes: Int) {
        lock.withLock {
            latest.received = max(latest.received + bytes, 0)
            let step = max(latest.total / 100, 64 << 10)
            if abs(latest.received - shown) >= step || latest.received >= latest.total { publish() }
        }
    }

    /// Changes the progress and tells all watchers. The body runs with the lock held.
    func update(_ change: (inout DownloadProgress) -> Void) {
        let ended = lock.withLock {
            let before = latest
            change(&latest)
            if latest != before { publish() }
            guard latest.isLast else { return [AsyncStream<DownloadProgress>.Continuation]() }
            defer { watchers = [:] }
            return Array(watchers.values)
        }
        // It calls `onTermination`, which needs the lock.
        for watcher in ended { watcher.finish() }
    }

    /// Called with the lock held, so that the last progress that is sent is the latest.
    private func publish() {
        shown = latest.received
        for watcher in watchers.values { watcher.yield(latest) }
        onChange(latest)
    }
}
