/// Runs operations one at a time, in order of arrival. An actor alone does not: it is reentrant while it awaits.
package actor SerialQueue {
    /// The maximum number of waiting operations. If more wait, the storage has a problem that a longer queue would only
    /// hide.
    static let length = 1_024

    package struct Unavailable: Error {}

    /// Whether an operation runs or waits.
    package private(set) var isBusy = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// Waits for its turn and runs `body`.
    /// - Throws: ``Unavailable``, and what `body` throws.
    package func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        if isBusy {
            guard waiters.count < Self.length else { throw Unavailable() }
            await withCheckedContinuation { waiters.append($0) }
        }
        isBusy = true
        defer { leave() }
        return try await body()
    }

    private func leave() {
        // The next operation takes over while the queue is still busy, so that a new one cannot get in between.
        if waiters.isEmpty { isBusy = false } else { waiters.removeFirst().resume() }
    }
}
