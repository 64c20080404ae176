import Content
import Foundation
package import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore
import NIOPosix
import ServerHTTP

/// Resumable uploads of the files that drafts name.
///
/// As in draft-ietf-httpbis-resumable-upload, HEAD returns how many bytes have arrived, and PATCH appends to them. PUT
/// sends a file from its beginning.
struct UploadRoutes: RouteFeature {
    let publishing: Publishing

    func add(to groups: RouteGroups) {
        let (router, path) = (groups.admin, "content/{sha256}")
        router.on(.head, path, RouteFacts("getUploadOffset")) { _, context in try await status(context) }
        router.on(.patch, path, RouteFacts("appendContent", reads: .parts)) { request, context in
            guard let offset = request.headers[.uploadOffset].flatMap({ Int($0) }), offset >= 0 else {
                throw Problem.invalidRequest("Upload-Offset: missing, or not a number of bytes")
            }
            return try await receive(request, context, at: offset)
        }
        router.on(.put, path, RouteFacts("putContent", reads: .parts)) { try await receive($0, $1, at: nil) }
    }

    private func status(_ context: ServerContext) async throws -> Response {
        let (sha256, size) = try named(context)
        let uploads = try publishing.uploadTarget
        let (offset, isWhole) = try await blocking {
            (uploads.offset(of: sha256, size: size), uploads.isWhole(sha256, size: size))
        }
        return answer(offset: offset, isWhole: isWhole, size)
    }

    /// - Parameter start: the offset at which the client continues; `nil` starts over.
    private func receive(_ request: Request, _ context: ServerContext, at start: Int?) async throws -> Response {
        let (sha256, size) = try named(context)
        let (uploads, date) = (try publishing.uploadTarget, publishing.clock())
        guard try await !blocking({ uploads.isWhole(sha256, size: size) }) else {
            return answer(offset: size, isWhole: true, size)
        }
        let upload = try await blocking { try uploads.open(sha256, size: size, at: start, date) }
        defer { upload.close() }
        var offset = start ?? 0
        // The next part is read from the network after the one before is written.
        for try await part in request.body {
            let start = offset
            try await blocking { try part.withUnsafeReadableBytes { try upload.write($0, at: start) } }
            offset += part.readableBytes
        }
        let isWhole = try await blocking { try upload.finish() }
        return answer(offset: offset, isWhole: isWhole, size)
    }

    /// The hash in the path, and its file's size.
    /// - Throws: 404 if no version and no draft names it.
    private func named(_ context: ServerContext) throws -> (sha256: String, size: Int) {
        let sha256 = try context.pathPart("sha256")
        guard let size = publishing.content.size(ofNamed: sha256) else { throw Problem.unknownContent }
        return (sha256, size)
    }

    private func answer(offset: Int, isWhole: Bool, _ size: Int) -> Response {
        Response(
            status: .noContent,
            headers: [
                .uploadOffset: "\(offset)", .uploadComplete: isWhole ? "?1" : "?0", .uploadLength: "\(size)",
                .cacheControl: "no-store",
            ])
    }

    private func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        try await NIOThreadPool.singleton.runIfActive(body)
    }
}

extension Problem {
    fileprivate static let unknownContent = Problem(
        .notFound, "unknown_content", "No version or draft references this content")
}

extension HTTPField.Name {
    package static let uploadOffset = Self("Upload-Offset")!
    package static let uploadLength = Self("Upload-Length")!
    package static let uploadComplete = Self("Upload-Complete")!
}
