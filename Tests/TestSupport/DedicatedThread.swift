import Foundation

/// Runs work that blocks, such as waiting for a process, on a thread of its own.
///
/// The tasks of all tests share as many threads as there are processors. If as many tests block one each, no task of
/// the process runs meanwhile: servers in it do not answer, and timeouts pass.
package func onDedicatedThread<Value: Sendable>(_ work: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
