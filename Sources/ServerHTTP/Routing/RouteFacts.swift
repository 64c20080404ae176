import Hummingbird

/// The facts of a route that the server must know before the route acts; they stand where the route is added.
package struct RouteFacts: Sendable {
    /// The `operationId` in the description of the interface; `nil` for pages, which it does not describe.
    package let operation: String?
    package let body: RouteBody
    package let logged: LoggedResponses

    package init(_ operation: String?, reads body: RouteBody = .none, logged: LoggedResponses = .all) {
        self.operation = operation
        self.body = body
        self.logged = logged
    }
}

/// The body that a route reads.
package enum RouteBody: Sendable {
    /// None; what a client sends all the same must be small.
    case none
    /// The JSON body of this type, which limits it.
    case json(any JSONRequestBody.Type)
    /// A body that the route reads to its end before it does anything.
    case whole(BodyLimits)
    /// The parts of the body as they arrive, so that an upload can be resumed.
    case parts

    /// Whether a chunked body is left to the route, which reads it to its end before it does anything, or can be
    /// resumed. Others are read before the route is called.
    var isLeftToRoute: Bool {
        switch self {
        case .none: false
        case .json(let type): type.limits.maximumBytes > Limits.smallBodyBytes
        case .whole(let limits): limits.maximumBytes > Limits.smallBodyBytes
        case .parts: true
        }
    }
}

/// The responses of a route whose log line is at `info`, and not at `debug`.
package enum LoggedResponses: Sendable {
    case all
    /// Of a route that is called so often that its other responses would bury the log.
    case refusals
    case none
}
