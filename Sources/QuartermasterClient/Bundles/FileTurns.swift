import Foundation

/// Limits the number of files that are fetched at once, and fetches each for one download at a time.
actor FileTurns {
    struct Waiter {
        let id: UUID
        let file: ContentHash
        let isFirst: Bool
        let continuation: CheckedContinuation<Void, any Error>
    }

    nonisolated let limit: Int
    private var busy: Set<ContentHash> = []
    private(set) var waiters: [Waiter] = []

    init(limit: Int) { self.limit = limit }

    /// Runs the body when it is the file's turn.
    ///
    /// - Parameter isFirst: whether it comes before those that wait already.
    /// - Throws: `CancellationError` if the task ends before, or what the body throws.
    nonisolated func run<Value: Sendable>(
        for file: ContentHash, isFirst: Bool = false, _ body: @Sendable () async throws -> Value
    ) async throws -> Value {
        try await begin(file, isFirst)
        do {
            let value = try await body()
            await end(file)
            return value
        } catch {
            await end(file)
            throw error
        }
    }

    private func begin(_ file: ContentHash, _ isFirst: Bool) async throws {
        try Task.checkCancellation()
        if busy.count < limit, busy.insert(file).inserted { return }
        let id = UUID()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
                let waiter = Waiter(id: id, file: file, isFirst: isFirst, continuation: continuation)
                let place = isFirst ? waiters.firstIndex { !$0.isFirst } : nil
                waiters.insert(waiter, at: place ?? waiters.endIndex)
            }
        } onCancel: {
            Task { await self.cancel(id) }
        }
    }

    private func cancel(_ id: UUID) {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
        waiters.remove(at: index).continuation.resume(throwing: CancellationError())
    }

    private func end(_ file: ContentHash) {
        busy.remove(file)
        while busy.count < limit, let index = waiters.firstIndex(where: { !busy.contains($0.file) }) {
            let waiter = waiters.remove(at: index)
            busy.insert(waiter.file)
            waiter.continuation.resume()
        }
    }
}
