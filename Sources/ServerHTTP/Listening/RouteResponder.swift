import Foundation
import HTTPTypes
package import Hummingbird
package import HummingbirdCore
package import Logging
import NIOCore
import NIOHTTP1

/// Answers requests of the framework's connections by the routes.
package struct RouteResponder: Sendable {
    private let routes: RouterResponder<ServerContext>
    private let logger: Logger

    package init(_ router: Router<ServerContext>, _ logger: Logger) {
        routes = router.buildResponder()
        // ProblemMiddleware gives each request its ID; the framework traps where a context has none.
        var named = logger
        named[metadataKey: RequestIDs.logKey] = "-"
        self.logger = named
    }

    package func respond(to request: Request, _ writer: consuming ResponseWriter, on channel: any Channel) async throws
    {
        let response = try await response(to: request, on: channel)
        do {
            try await writer.write(response: response.head, body: response.body)
        } catch is HTTPParserError {
            // It has its response, and the framework would send another one.
            throw BodyError()
        }
    }

    /// The response of the routes; an error that none of them answered becomes 500 without a body.
    ///
    /// - Throws: `HTTPParserError` if the request's body is not HTTP, which ends the connection.
    private func response(to request: Request, on channel: any Channel) async throws(HTTPParserError) -> Response {
        var response: Response
        do {
            response = try await routes.respond(
                to: request, context: ServerContext(source: .init(channel: channel, logger: logger)))
        } catch let error as HTTPParserError {
            throw error
        } catch {
            response = Response(status: .internalServerError)
        }
        response.headers[.date] = AnswerHead.date.text(at: .now)
        return response
    }

    /// The body of a request whose response had begun was not HTTP.
    private struct BodyError: Error {}
}
