import Foundation

/// An event that was waited for did not happen in time.
package struct NotInTime: Error, CustomStringConvertible {
    package let description: String
}

/// After this time, what is waited for has failed.
private let timeout: TimeInterval = 120

/// Waits until a condition holds.
/// - Throws: ``NotInTime``, and what the question throws.
package func eventually(
    _ what: String, isolation: isolated (any Actor)? = #isolation, _ isSo: () async throws -> Bool
) async throws {
    let deadline = Date() + timeout
    while try await !isSo() {
        guard Date() < deadline else { throw NotInTime(description: what) }
        try await Task.sleep(for: .milliseconds(20))
    }
}
