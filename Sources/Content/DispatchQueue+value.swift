import Dispatch

extension DispatchQueue {
    /// Runs here what blocks.
    func value<Value: Sendable>(of body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { continuation in async { continuation.resume(returning: body()) } }
    }

    /// Runs here what blocks and may fail.
    func result<Value: Sendable>(of body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            async { continuation.resume(with: Result { try body() }) }
        }
    }
}
