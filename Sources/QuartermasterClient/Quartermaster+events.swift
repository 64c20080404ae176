import Foundation

extension Quartermaster {
    /// The maximum number of events that a reader has not read. The oldest are dropped.
    private static let unreadEvents = 100

    /// The events from now on, for the app's log. A reader that is slow misses the oldest.
    public nonisolated func events() -> AsyncStream<ShopEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: ShopEvent.self, bufferingPolicy: .bufferingNewest(Self.unreadEvents))
        let id = UUID()
        continuation.onTermination = { _ in Task { await self.stopTelling(id) } }
        Task { await self.tell(id, continuation) }
        return stream
    }

    private func tell(_ id: UUID, _ continuation: AsyncStream<ShopEvent>.Continuation) {
        listeners[id] = continuation
    }

    private func stopTelling(_ id: UUID) { listeners[id] = nil }

    /// Tells the readers. A failure is shown until the next refresh without one.
    func tell(_ event: ShopEvent) {
        if event.isFailure { lastError = event }
        for listener in listeners.values { listener.yield(event) }
    }

    /// Tells of downloads that have ended since the last call.
    func tellEnds(of downloads: [String: DownloadProgress]) {
        for (bundle, progress) in downloads where told[bundle] != progress.phase {
            switch progress.phase {
            case .installed:
                tell(ShopEvent(.downloaded, at: time.now, subject: bundle, reason: progress.version))
            case .failed(let error) where error != .cancelled:
                tell(ShopEvent(.downloadFailed, at: time.now, subject: bundle, error))
            default: break
            }
        }
        told = downloads.mapValues(\.phase)
    }
}
