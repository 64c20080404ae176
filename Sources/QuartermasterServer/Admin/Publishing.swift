import Content
import Foundation
import InAppPurchase
import Logging

/// Versions of bundles, published and withdrawn while they are served.
struct Publishing: Sendable {
    let publisher: ContentPublisher
    let uploads: ContentUploads
    let content: FolderContentStore
    let clock: @Sendable () -> Date
    let logger: Logger

    /// - Parameter path: the content folder's.
    init(
        _ path: String, content: FolderContentStore, trail: any AuditTrail, clock: @escaping @Sendable () -> Date,
        logger: Logger
    ) {
        publisher = ContentPublisher(content: path, trail: trail)
        uploads = ContentUploads(content: path)
        (self.content, self.clock, self.logger) = (content, clock, logger)
    }

    /// Does it, and serves what came of it at once.
    func apply<Value: Sendable>(
        by actor: AuditActor, _ act: (ContentPublisher, PublishingAct) async throws -> Value
    ) async throws -> Value {
        let value = try await act(publisher, PublishingAct(by: actor, at: clock()))
        try await content.takeUp(at: clock()).log(logger)
        return value
    }
}

extension ContentChanges {
    /// Tells the operator what came, what went, and what is wrong.
    func log(_ logger: Logger) {
        for version in added + changed { logger.info("content published", metadata: ["version": "\(version)"]) }
        for version in removed { logger.warning("content gone", metadata: ["version": "\(version)"]) }
        for problem in problems { logger.error("content refused", metadata: ["problem": "\(problem)"]) }
    }
}
