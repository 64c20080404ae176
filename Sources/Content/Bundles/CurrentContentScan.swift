import Foundation
import Synchronization

/// The latest scan of all content, replaced atomically by the next one; scans run one at a time.
final class CurrentContentScan<Scan: ContentScan>: Sendable {
    private struct State {
        var scan: Scan
        /// The number of scans that found other versions or states than the one before.
        var revision = 0
        /// The number of scans that found other variants than the one before.
        var variantsRevision = 0
        var isRefreshing = false
        /// Whether a reload gave up waiting for the scan that is running.
        var isOverdue = false

        mutating func end() {
            isRefreshing = false
            isOverdue = false
        }
    }

    /// How often ``reload(at:)`` tries. A scan takes longer than all tries only if much has to be read.
    static var attempts: Int { 1_000 }
    private static var pause: Duration { .milliseconds(10) }

    private let state: Mutex<State>
    private let attempts: Int
    private let read: @Sendable (Scan, Date) async -> Scan?

    /// - Parameters:
    ///   - scan: the first one.
    ///   - attempts: how often ``reload(at:)`` tries.
    ///   - read: makes the next scan from the previous one; `nil` if nothing has changed since.
    init(
        _ scan: Scan, attempts: Int = CurrentContentScan.attempts, read: @escaping @Sendable (Scan, Date) async -> Scan?
    ) {
        state = Mutex(State(scan: scan))
        self.attempts = attempts
        self.read = read
    }

    var scan: Scan { state.withLock(\.scan) }

    /// A number that changes whenever the versions or their states change.
    var revision: Int { state.withLock(\.revision) }

    /// A number that changes whenever the variants of files change.
    var variantsRevision: Int { state.withLock(\.variantsRevision) }

    /// Scans again if anything may have changed. A second call while one is running returns at once, without changes.
    func refresh(at date: Date) async -> ContentChanges {
        guard let begun = begin() else { return ContentChanges() }
        return await finish(begun, at: date)
    }

    /// Like ``refresh(at:)``, but waits if one is running; after ``attempts`` tries it returns without changes. The
    /// first that gives up on a scan says so in ``ContentChanges/isOverdue``.
    func reload(at date: Date) async throws -> ContentChanges {
        for _ in 0..<attempts {
            if let begun = begin() { return await finish(begun, at: date) }
            try await Task.sleep(for: Self.pause)
        }
        var changes = ContentChanges()
        changes.isOverdue = state.withLock { state in
            defer { state.isOverdue = state.isRefreshing }
            return state.isRefreshing && !state.isOverdue
        }
        return changes
    }

    /// The scan to start from; `nil` while another one is running.
    private func begin() -> Scan? {
        state.withLock { state in
            guard !state.isRefreshing else { return nil }
            state.isRefreshing = true
            return state.scan
        }
    }

    private func finish(_ begun: Scan, at date: Date) async -> ContentChanges {
        guard let scan = await read(begun, date) else {
            state.withLock { $0.end() }
            return ContentChanges()
        }
        let hasChanged = !scan.index.hasSameVersions(as: begun.index)
        let hasOtherVariants = !scan.hasSameVariants(as: begun)
        state.withLock { state in
            state.scan = scan
            if hasChanged { state.revision &+= 1 }
            if hasOtherVariants { state.variantsRevision &+= 1 }
            state.end()
        }
        return ContentChanges(from: begun, to: scan)
    }
}
