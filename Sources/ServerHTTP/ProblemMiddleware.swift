import CoreMetrics
package import HTTPTypes
package import Hummingbird
import InAppPurchase
import Logging
import NIOCore
import StrictJSON

/// The outermost middleware: turns every error into a problem document, gives every response its request ID, and logs
/// and counts every request once.
package struct ProblemMiddleware: RouterMiddleware {
    package let metrics: RequestMetrics
    package let ids: RequestIDs
    package let table: RouteTable
    package let lines: RepeatedLines

    package init(metrics: RequestMetrics, ids: RequestIDs, table: RouteTable, lines: RepeatedLines) {
        self.metrics = metrics
        self.ids = ids
        self.table = table
        self.lines = lines
    }

    package func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        var context = context
        context.logger[metadataKey: RequestIDs.logKey] = "\(ids.next())"
        let logged = table.facts(of: request, context)?.logged ?? .all
        let exchange = Exchange(request, context, metrics.route(context.endpointPath), logged, lines)
        metrics.inFlight.increment()
        defer { metrics.inFlight.decrement() }
        var response: Response
        var trouble: (any Error)?
        do {
            if request.hasEmptySegment { throw Problem.notFound }
            response = try await next(request, context)
        } catch  where error.isLostConnection {
            // There is no client left to answer, and the error is not the server's.
            exchange.end(.clientClosedRequest)
            throw error
        } catch {
            let (problem, isOurs) = Problem.from(table.methods.refusal(of: request, context) ?? error)
            if isOurs { trouble = error }
            context.notes.receipt = context.notes.receipt ?? problem.receipt
            response = try answer(problem, context)
        }
        // Also an error's body: the client would read its bytes as the next response (RFC 9110 §9.3.2).
        if request.method == .head { response = response.createHeadResponse() }
        // RFC 9112 §9.6: the framework closes after the response if a request asks for it.
        if request.headers[.connection] == "close" { response.headers[.connection] = "close" }
        response.headers[.requestID] = context.id
        exchange.end(response.status, trouble ?? context.notes.trouble)
        return response
    }

    private func answer(_ problem: Problem, _ context: ServerContext) throws -> Response {
        var response = try Response.json(ProblemBody(problem), status: problem.status, headers: problem.headers)
        response.headers[.contentType] = "application/problem+json"
        response.headers[.retryAfter] = problem.retryAfter.map(String.init)
        if problem.status == .unauthorized { response.headers[.wwwAuthenticate] = "Bearer" }
        if problem.status == .contentTooLarge || problem.closesConnection {
            try closeAfter(&response, ProblemBody(problem), context)
        }
        return response
    }

    /// Closes the output after the response, since the server does not wait for the rest of a body that is too large,
    /// or that there is no room for. What is left of it is discarded, by ``RequestBytes`` or ``StreamWatch``.
    private func closeAfter(_ response: inout Response, _ body: ProblemBody, _ context: ServerContext) throws {
        let bytes = try JSONCoding.encode(body)
        let channel = context.channel
        response.headers[.connection] = "close"
        response.body = ResponseBody(contentLength: bytes.readableBytes) { writer in
            try await writer.write(bytes)
            try await writer.finish(nil)
            channel.close(mode: .output, promise: nil)
        }
    }
}

extension HTTPField.Name {
    package static let requestID = Self("X-Request-Id")!
}

extension Request {
    /// Whether the path has two slashes beside each other. The router would leave the empty segment out; a proxy that
    /// guards a path takes it for another one.
    fileprivate var hasEmptySegment: Bool {
        let path = uri.path.utf8
        return zip(path, path.dropFirst()).contains { $0 == UInt8(ascii: "/") && $1 == UInt8(ascii: "/") }
    }
}

/// The members of a problem document (RFC 9457).
struct ProblemBody: Encodable {
    var type: String
    var title: String
    var status: Int
    var detail: String?
    var code: String
    var reason: String?
    var remedy: String?
    /// An error judges no transaction: the app keeps all of them, whatever it asked for.
    var finish = false
    var receipt: String?

    init(_ problem: Problem) {
        type = "urn:quartermaster:problem:\(problem.code)"
        title = problem.title
        status = problem.status.code
        detail = problem.detail
        code = problem.code
        reason = problem.reason
        remedy = problem.remedy
        receipt = problem.receipt
    }
}
