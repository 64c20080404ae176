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
    public func pause() async { _ = await control.stop(.pause) }

    /// Continues where it was stopped. Nothing happens if it is running or over.
    public func resume() async { store.start(control) }

    /// Ends it and deletes what it fetched. What is installed stays. Nothing happens if it is over.
    public func cancel() async { await store.cancel(control) }
}
