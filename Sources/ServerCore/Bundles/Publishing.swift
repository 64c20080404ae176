package import Content
package import Foundation
import HTTPTypes
import InAppPurchase
package import Ledger
package import Logging
import ServerHTTP

/// Publishes and withdraws versions of bundles while they are served.
package struct Publishing: Sendable {
    package let publisher: ContentPublisher
    /// The uploads to the content folder; `nil` if the content is in a bucket, to which only the command line uploads.
    package let uploads: ContentUploads?
    package let content: any ContentRepository
    package let clock: @Sendable () -> Date
    package let logger: Logger

    package init(
        _ place: ContentPlace, content: any ContentRepository, trail: any AuditLedger,
        clock: @escaping @Sendable () -> Date, logger: Logger
    ) {
        publisher = ContentPublisher(content: place, trail: trail)
        uploads = if case .folder(let path) = place { ContentUploads(content: path) } else { nil }
        self.content = content
        self.clock = clock
        self.logger = logger
    }

    /// The target of uploads.
    /// - Throws: ``/ServerHTTP/Problem`` if the content is in a bucket.
    package var uploadTarget: ContentUploads {
        get throws {
            guard let uploads else { throw Problem.uploadsNotSupported }
            return uploads
        }
    }

    /// Applies a change and reloads the content, so that its result is served at once.
    package func apply<Value: Sendable>(
        by actor: AuditActor, _ act: (ContentPublisher, PublishingAct) async throws -> Value
    ) async throws -> Value {
        let value = try await act(publisher, PublishingAct(by: actor, at: clock()))
        try await content.reload(at: clock()).log(logger)
        return value
    }
}

extension ContentChanges {
    /// Logs the versions that were published or removed, and the problems.
    package func log(_ logger: Logger) {
        if isOverdue {
            logger.warning(
                """
                a scan of the content has not ended in time; what was published is served when it has, and the next one
                """)
        }
        if let unwatched {
            logger.notice("the content folder is scanned every two seconds", metadata: ["cause": "\(unwatched)"])
        }
        for version in added { logger.info("content published", metadata: ["version": "\(version)"]) }
        for version in changed { logger.warning("content changed", metadata: ["version": "\(version)"]) }
        for version in removed { logger.warning("content removed", metadata: ["version": "\(version)"]) }
        for problem in problems { logger.error("content rejected", metadata: ["problem": "\(problem)"]) }
    }
}

extension Problem {
    fileprivate static let uploadsNotSupported = Problem(
        .notImplemented, "uploads_not_supported", "Uploads are not supported with content in a bucket",
        detail: "Use quartermaster bundles publish.")
}
