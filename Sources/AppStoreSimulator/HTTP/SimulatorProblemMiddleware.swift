import Basics
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1

/// Converts every error into a problem document, adds `X-Request-Id` to every response, and says which one is the last
/// of its connection.
struct SimulatorProblemMiddleware: RouterMiddleware {
    typealias Context = StoreRequestContext

    /// The framework's name for the endpoint of a request that matches no route.
    private static let noRoute = "NotFound"

    let methods: RouteMethods

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            response = try await next(request, context)
        } catch let error as HTTPParserError {
            // The bytes are not HTTP, and the server has responded already.
            throw error
        } catch {
            response = try answer(to: refusal(of: request, context) ?? error, context: context)
        }
        if let name = HTTPField.Name("X-Request-Id") { response.headers[name] = context.id }
        // A client that is not told would use the connection once more, which the server closes (RFC 9112 §9.6).
        if request.headers[.connection] == "close" { response.headers[.connection] = "close" }
        return response
    }

    /// The problem 405 for a request that matches a route except for its method; `nil` for every other request.
    private func refusal(of request: Request, _ context: Context) -> SimulatorProblem? {
        guard context.endpointPath == Self.noRoute else { return nil }
        return methods.allowed(request.uri.path).map(SimulatorProblem.methodNotAllowed)
    }

    private func answer(to error: any Error, context: Context) throws -> Response {
        let problem = SimulatorProblem(error)
        if problem.status == .internalServerError {
            context.logger.error("Request failed", metadata: ["error": "\(type(of: error))"])
        }
        var response = try Response.json(problem, status: problem.status)
        response.headers[.contentType] = "application/problem+json"
        response.headers.append(contentsOf: problem.headers)
        guard problem.status == .contentTooLarge else { return response }
        return try closing(response, problem, context.channel)
    }

    /// Closes the connection after the response; otherwise the server would go on reading a body that is too large. It
    /// reads on for a while: unread bytes would turn the end into a reset, and the client might never see the response.
    private func closing(_ response: Response, _ problem: SimulatorProblem, _ channel: any Channel) throws -> Response {
        let body = ByteBuffer(bytes: try JSONEncoder.sorted.encode(problem))
        var headers = response.headers
        headers[.connection] = "close"
        return Response(
            status: response.status, headers: headers,
            body: ResponseBody(contentLength: body.readableBytes) { writer in
                try await writer.write(body)
                try await writer.finish(nil)
                channel.close(mode: .output, promise: nil)
                channel.eventLoop.scheduleTask(in: SimulatorLimits.lingerTime) { channel.close(promise: nil) }
            })
    }
}

extension Response {
    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONEncoder.sorted.encode(value))))
    }
}
