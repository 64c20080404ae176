import Foundation

/// The downloads of a store and the progress of each, for views that show them all.
///
/// `@unchecked Sendable`: all members that change are read and written with `lock` held alone.
final class ProgressBoard: @unchecked Sendable {
    private let lock = NSLock()
    private var controls: [String: DownloadControl] = [:]
    private var progress: [String: DownloadProgress] = [:]
    private var watchers: [UUID: AsyncStream<[String: DownloadProgress]>.Continuation] = [:]

    /// The progress of each bundle that was downloaded since the app was started, or that an earlier launch left.
    var snapshot: [String: DownloadProgress] { lock.withLock { progress } }

    var all: [DownloadControl] { lock.withLock { Array(controls.values) } }

    /// The unfinished download of the bundle, or a new one.
    func control(of bundle: String) -> DownloadControl {
        let earlier = lock.withLock { controls[bundle] }
        if let earlier, !earlier.progress.isLast { return earlier }
        let new = DownloadControl(DownloadProgress(bundle: bundle)) { [weak self] in self?.show($0) }
        return lock.withLock {
            // Somebody else may have made one meanwhile.
            if let other = controls[bundle], other !== earlier { return other }
            controls[bundle] = new
            return new
        }
    }

    /// Shows the downloads that an earlier launch left.
    func show(unfinished: [(DownloadProgress, DownloadNetwork)]) {
        lock.withLock {
            for (download, network) in unfinished {
                let control = DownloadControl(download) { [weak self] in self?.show($0) }
                control.want(DownloadControl.Options(network: network))
                controls[download.bundle] = control
                progress[download.bundle] = download
            }
        }
    }

    /// The latest progress of all, then each change. A slow reader misses all but the newest.
    func watch() -> AsyncStream<[String: DownloadProgress]> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: [String: DownloadProgress].self, bufferingPolicy: .bufferingNewest(1))
        let id = UUID()
        continuation.onTermination = { [weak self] _ in self?.lock.withLock { self?.watchers[id] = nil } }
        lock.withLock {
            continuation.yield(progress)
            watchers[id] = continuation
        }
        return stream
    }

    private func show(_ latest: DownloadProgress) {
        lock.withLock {
            progress[latest.bundle] = latest
            for watcher in watchers.values { watcher.yield(progress) }
        }
    }
}
