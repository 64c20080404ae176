import Foundation
import Synchronization

/// The last reading of all content, replaced whole by the next one; one at a time.
final class CurrentContentScan<Scan: ContentScan>: Sendable {
    private struct State {
        var scan: Scan
        var isRefreshing = false
    }

    /// A refresh takes longer only where much has to be read, which the next one then has.
    private static var patience: Int { 1_000 }
    private static var pause: Duration { .milliseconds(10) }

    private let state: Mutex<State>
    private let read: @Sendable (Scan, Date) async -> Scan

    /// - Parameters:
    ///   - scan: the first one.
    ///   - read: makes the scan that follows another one.
    init(_ scan: Scan, read: @escaping @Sendable (Scan, Date) async -> Scan) {
        state = Mutex(State(scan: scan))
        self.read = read
    }

    var scan: Scan { state.withLock(\.scan) }

    /// Reads anew. A second call while one is under way returns at once, with nothing changed.
    func refresh(at date: Date) async -> ContentChanges {
        guard let begun = begin() else { return ContentChanges() }
        return await finish(begun, at: date)
    }

    /// As ``refresh(at:)``, but takes its turn where one is under way.
    func reload(at date: Date) async throws -> ContentChanges {
        for _ in 0..<Self.patience {
            if let begun = begin() { return await finish(begun, at: date) }
            try await Task.sleep(for: Self.pause)
        }
        return ContentChanges()
    }

    /// The state to begin from; nil while a refresh is under way.
    private func begin() -> Scan? {
        state.withLock { state in
            guard !state.isRefreshing else { return nil }
            state.isRefreshing = true
            return state.scan
        }
    }

    private func finish(_ begun: Scan, at date: Date) async -> ContentChanges {
        let scan = await read(begun, date)
        state.withLock { $0 = State(scan: scan) }
        return ContentChanges(from: begun, to: scan)
    }
}
