package import HTTPTypes
package import Logging
package import NIOCore

/// Answers requests that are refused for their heads alone, for HTTP/1 and HTTP/2 alike, and logs and counts them.
package struct HeadRefusals: Sendable {
    /// The parts of the response. After it the connection, or the HTTP/2 stream, ends.
    package struct Answer {
        package var fields: HTTPFields
        package var body: ByteBuffer
        package var id: RequestIDs.ID
    }

    package static let status = HTTPResponse.Status.badRequest

    package let ids: RequestIDs
    /// The metrics of requests that match no route.
    package let route: RouteMetrics
    package let lines: RepeatedLines
    package let logger: Logger

    package init(ids: RequestIDs, route: RouteMetrics, lines: RepeatedLines, logger: Logger) {
        self.ids = ids
        self.route = route
        self.lines = lines
        self.logger = logger
    }

    /// The response to a request, which is counted and logged here.
    ///
    /// - Parameter method: `nil` if none could be read; then the request is not counted by method.
    package func answer(to error: RequestHeadError, _ method: HTTPRequest.Method?) -> Answer {
        let (id, code) = (ids.nextID(), "\(Self.status.code)")
        if let method { route.record(method, Self.status.code, took: .zero) }
        lines.log(
            .init("request", ["route": route.template, "status": code]), .info,
            metadata: [
                "\(RequestIDs.logKey)": "\(id)", "method": "\(method.map { RequestMetrics.label($0) } ?? "-")",
                "route": "\(route.template)", "status": "\(code)", "mistake": "\(error.rawValue)",
            ], to: logger)
        let body = (try? JSONCoding.encode(ProblemBody(.invalidRequest(error.detail)))) ?? ByteBuffer()
        let fields: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        return Answer(fields: fields, body: body, id: id)
    }
}
