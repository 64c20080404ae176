import HTTPTypes
import Logging
import NIOCore

/// Answers requests that are refused for their heads alone, on HTTP/1 and HTTP/2 alike, and logs and counts them.
struct HeadRefusals: Sendable {
    /// The answer's parts. After it the connection, or the stream, ends.
    struct Answer {
        var fields: HTTPFields
        var body: ByteBuffer
        var id: String
    }

    static let status = HTTPResponse.Status.badRequest

    let ids: RequestIDs
    /// That of requests which no route takes.
    let route: RouteMetrics
    let lines: RepeatedLines
    let logger: Logger

    /// The answer to a request, which is counted and logged with it.
    ///
    /// - Parameter method: nil where none could be read; it is not counted by method then.
    func answer(to mistake: RequestHeadError, _ method: HTTPRequest.Method?) -> Answer {
        let (id, code) = (ids.next(), "\(Self.status.code)")
        if let method { route.record(method, Self.status.code, took: .zero) }
        lines.log(
            .init("request", ["route": route.template, "status": code]), .info,
            metadata: [
                "\(RequestIDs.logKey)": "\(id)", "method": "\(method.map { RequestMetrics.label($0) } ?? "-")",
                "route": "\(route.template)", "status": "\(code)", "mistake": "\(mistake.rawValue)",
            ], to: logger)
        let body = (try? JSONCoding.encode(ProblemBody(.invalidRequest(mistake.detail)))) ?? ByteBuffer()
        let fields: HTTPFields = [.contentType: "application/problem+json", .cacheControl: "no-store"]
        return Answer(fields: fields, body: body, id: id)
    }
}
