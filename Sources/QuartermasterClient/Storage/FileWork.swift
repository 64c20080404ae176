import Foundation

/// Runs blocking work (reading, hashing, decoding) outside the threads that all tasks share.
enum FileWork {
    private static let queue = DispatchQueue(label: "quartermaster.files", qos: .utility, attributes: .concurrent)

    static func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }
}
