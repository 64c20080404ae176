import Content
import Foundation
import InAppPurchase
import Logging

extension Catalog {
    /// Tells the operator what is allowed and probably not meant.
    func warn(_ logger: Logger) {
        for app in apps where app.sandbox == .nobody {
            logger.warning(
                "nobody is entitled by sandbox purchases; App Review buys in the sandbox, so set \"sandbox\" for it",
                metadata: ["app": "\(app.bundleID)"])
        }
    }
}

extension FolderContentStore {
    /// - Throws: ``CommandFailure`` that names what is wrong in the folder.
    static func open(_ path: String, at date: Date) async throws -> FolderContentStore {
        do {
            return try await FolderContentStore(path: path, at: date)
        } catch {
            throw CommandFailure("content: \(error)")
        }
    }
}
