public import Foundation

/// A download of a bundle, as a sequence of its newest progress until it is installed or has failed.
///
/// It runs whether or not anybody reads the sequence. A bundle has one download at a time.
public struct BundleDownload: AsyncSequence, Sendable {
    /// The progress of a download. It never throws: the last element tells how the download ended.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var stream: AsyncStream<DownloadProgress>.AsyncIterator

        fileprivate init(_ stream: AsyncStream<DownloadProgress>) { self.stream = stream.makeAsyncIterator() }

        /// The newest progress that was not returned yet; `nil` after the last one, and if the task is cancelled.
        public mutating func next() async -> DownloadProgress? { await stream.next() }

        /// The newest progress that was not returned yet; `nil` after the last one, and if the task is cancelled.
        @available(iOS 18, macOS 15, visionOS 2, *)
        public mutating func next(isolation actor: isolated (any Actor)?) async -> DownloadProgress? {
            await stream.next(isolation: actor)
        }
    }

    /// The name of the bundle.
    public let bundle: String

    private let control: DownloadControl
    private let store: BundleStore

    init(_ control: DownloadControl, of bundle: String, in store: BundleStore) {
        self.bundle = bundle
        self.control = control
        self.store = store
    }

    /// The present progress.
    public var progress: DownloadProgress { control.progress }

    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(control.watch()) }

    /// Stops it and keeps what was fetched. When this returns, none of its work is running. The second time nothing
    /// happens.
    public func pause() async { await store.pause(control) }

    /// Continues where it was stopped. Nothing happens if it is running or over.
    public func resume() async { store.start(control) }

    /// Tells a progress of the system's about this one until it is over, such as that of a `BGContinuedProcessingTask`.
    ///
    /// - Returns: whether the bundle is installed. `false` also if the task is cancelled, and then it goes on.
    public func report(to progress: Progress) async -> Bool {
        for await current in self {
            // A total of 0 would be no share at all.
            progress.totalUnitCount = Int64(current.total) + 1
            progress.completedUnitCount = Int64(current.received) + (current.phase == .installed ? 1 : 0)
        }
        return control.progress.phase == .installed
    }

    /// Ends it and deletes what it fetched. What is installed stays. Nothing happens if it is over.
    public func cancel() async { await store.cancel(control) }
}
