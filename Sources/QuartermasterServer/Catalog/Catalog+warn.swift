import Content
import Foundation
import InAppPurchase
import Logging

extension Catalog {
    /// Warns of settings that are allowed and probably not meant.
    func warn(_ logger: Logger) {
        for app in apps where app.sandbox == .nobody {
            logger.warning(
                "nobody is entitled by sandbox purchases; App Review buys in the sandbox, so set \"sandbox\" for it",
                metadata: ["app": "\(app.bundleID)"])
        }
    }
}

extension Settings {
    /// - Parameter clock: returns the true time, which links to an object store are signed with.
    /// - Throws: ``CommandError`` that names the mistake in the folder or the bucket.
    func openContent(at date: Date, clock: @escaping @Sendable () -> Date) async throws -> any ContentRepository {
        do {
            return try await contentPlace(clock: clock).open(at: date, clock: clock)
        } catch {
            throw CommandError("content: \(error)")
        }
    }
}
