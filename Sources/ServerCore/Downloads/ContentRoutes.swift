package import Content
package import CoreMetrics
package import Foundation
package import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
package import ServerHTTP

/// Downloads of content. No database is read: the grant in the link says what may be downloaded until when.
package struct ContentRoutes: RouteFeature {
    /// The bytes read from disk and sent at a time; a slow client costs about ten of them in memory.
    static let chunkBytes = 64 << 10

    /// The path up to the hash.
    static let pathBeforeHash = "/v1/content/"
    package static let path = "\(pathBeforeHash){sha256}"

    /// The problem of a file that exists and cannot be opened now; no client tries again after a 404.
    private static let unreadable = Problem(
        .serviceUnavailable, "storage_unavailable", "The file cannot be read now", retryAfter: 10)

    package let content: any ContentRepository
    package let cache: ContentCache
    package let grants: GrantKeyring
    package let delivery: ContentSender
    /// The path of the content folder.
    package let folder: String
    package let limits: ConnectionLimits
    package let clock: @Sendable () -> Date
    /// Counts bytes of content.
    package let sent: Counter

    package func add(to groups: RouteGroups) {
        for method in [HTTPRequest.Method.get, .head] {
            groups.root.on(method, Self.path, RouteFacts("downloadContent", logged: .refusals)) {
                try await send($0, $1)
            }
        }
    }

    private func send(_ request: Request, _ context: ServerContext) async throws -> Response {
        let sha256 = try context.pathPart("sha256")
        guard let grant = request.uri.queryParameters["grant"],
            grants.signer.opens(sha256, with: String(grant), at: clock())
        else { throw Problem(.forbidden, "invalid_grant", "The download link is invalid or has expired") }
        guard let location = try await content.location(of: sha256) else { throw missing(sha256) }
        switch location {
        case .url(let get, let head):
            // Not cached: the next request gets a URL that is valid for longer.
            return Response(
                status: .seeOther,
                headers: [.location: request.method == .head ? head : get, .cacheControl: "no-store"])
        case .file(let path, let size):
            let file = Representation(sha256: sha256, variants: try await content.variants(of: sha256))
            // nginx applies ranges to what it sends, so it has to send the file itself.
            guard delivery == .local else { return try await send(file, path, size, request, context) }
            await cache.insert(file, at: location, clock())
            switch ContentNegotiation(request.headers).choice(among: file.variants, size: size, sha256: sha256) {
            case .identity: return try await send(file, path, size, request, context)
            case .notAcceptable:
                throw Problem(.notAcceptable, "not_acceptable", "No available representation is acceptable")
            case .variant(let variant):
                var chosen = file
                chosen.variant = variant
                guard case .file(let path, let size)? = try await content.location(of: variant.sha256) else {
                    return try await send(file, path, size, request, context)
                }
                await cache.insert(chosen, at: .file(path: path, size: size), clock())
                return try await send(chosen, path, size, request, context)
            }
        }
    }

    /// The problem of content that is not there, or has other bytes than its hash.
    private func missing(_ sha256: String) -> Problem {
        content.size(ofNamed: sha256) == nil ? .notFound : Self.unreadable
    }

    private func send(
        _ chosen: Representation, _ path: String, _ size: Int, _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        let outcome = Preconditions(request.headers)
            .outcome(method: request.method.rawValue, etag: chosen.etag, size: size)
        return try await answer(outcome, chosen, path, size, request, context)
    }

    private func answer(
        _ outcome: Preconditions.Outcome, _ chosen: Representation, _ path: String, _ size: Int, _ request: Request,
        _ context: ServerContext
    ) async throws -> Response {
        var headers = chosen.headers
        switch outcome {
        case .whole where delivery == .accel, .part where delivery == .accel:
            // nginx has the request's `Range`, and sends the part.
            guard let internalPath = ContentSender.internalPath(of: path, in: folder) else { throw Problem.notFound }
            headers[.accelRedirect] = internalPath
            return Response(status: .ok, headers: headers)
        case .notModified: return Response(status: .notModified, headers: chosen.notModifiedHeaders)
        case .preconditionFailed:
            throw Problem(.preconditionFailed, "precondition_failed", "If-Match does not match the current content")
        case .rangeNotSatisfiable:
            var problem = Problem(.rangeNotSatisfiable, "range_not_satisfiable", "The range is not satisfiable")
            problem.headers = [.contentRange: "bytes */\(size)"]
            throw problem
        case .whole:
            let answer = Response(status: .ok, headers: headers)
            return try await part(0, size - 1, of: chosen, path, size, answer, request, context)
        case .part(let first, let last):
            headers[.contentRange] = "bytes \(first)-\(last)/\(size)"
            let answer = Response(status: .partialContent, headers: headers)
            return try await part(first, last, of: chosen, path, size, answer, request, context)
        }
    }

    private func part(
        _ first: Int, _ last: Int, of chosen: Representation, _ path: String, _ size: Int, _ answer: Response,
        _ request: Request, _ context: ServerContext
    ) async throws -> Response {
        var answer = answer
        guard last >= first else { return answer }
        if request.method == .head {
            answer.headers[.contentLength] = "\(last - first + 1)"
            return answer
        }
        let file = try await NIOThreadPool.singleton.runIfActive { OpenContent(path: path, size: size) }
        // Asked again, since another file may have replaced it before it was opened.
        let location = try await content.location(of: chosen.bytesSHA256)
        guard let file, location == .file(path: path, size: size) else {
            throw try await content.location(of: chosen.sha256) == nil ? missing(chosen.sha256) : Self.unreadable
        }
        context.notes.isStreamed = true
        answer.body = ResponseBody(of: file, first: first, last: last, on: context.channel)
            .paced(by: context.channel.eventLoop).counted(by: sent).cutOff(context.channel, limits)
        return answer
    }
}

extension ResponseBody {
    fileprivate func counted(by bytes: Counter) -> ResponseBody {
        let length = contentLength
        return ResponseBody(contentLength: length) { writer in
            try await self.write(
                writer.map { part in
                    bytes.increment(by: part.readableBytes)
                    return part
                })
        }
    }

    /// Closes the connection of a client that reads more slowly than the minimum rate.
    fileprivate func cutOff(_ channel: any Channel, _ limits: ConnectionLimits) -> ResponseBody {
        let seconds = Int64((contentLength ?? 0) / limits.slowestDownload)
        let time = limits.downloadTime + .seconds(seconds)
        return ResponseBody(contentLength: contentLength) { writer in
            let deadline = channel.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
            defer { deadline.cancel() }
            try await self.write(writer)
        }
    }
}

extension Preconditions {
    package init(_ headers: HTTPFields) {
        self.init(
            ifMatch: headers.joined(.ifMatch), ifNoneMatch: headers.joined(.ifNoneMatch),
            ifRange: headers.joined(.ifRange), range: headers.joined(.range))
    }
}
