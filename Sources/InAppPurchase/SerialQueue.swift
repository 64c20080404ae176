/// Lets one at a time through, in order of arrival: an actor alone does not, since it takes others while it waits.
package actor SerialQueue {
    /// Beyond it something is wrong with the storage, and more waiters only hide it.
    static let length = 1_024

    package struct Full: Error {}

    private var isBusy = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    package init() {}

    /// - Throws: ``Full``, and what `body` throws.
    package func run<Value: Sendable>(_ body: @Sendable () async throws -> Value) async throws -> Value {
        if isBusy {
            guard waiters.count < Self.length else { throw Full() }
            await withCheckedContinuation { waiters.append($0) }
        }
        isBusy = true
        defer { leave() }
        return try await body()
    }

    private func leave() {
        // The next one takes over while it is still busy, so that a newcomer cannot slip in between.
        if waiters.isEmpty { isBusy = false } else { waiters.removeFirst().resume() }
    }
}
