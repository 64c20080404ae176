import HTTPTypes
import Hummingbird
import InAppPurchase
import Logging

/// A request that is being processed, to be logged and counted when its response is known.
struct Exchange {
    private let method: HTTPRequest.Method
    private let context: ServerContext
    private let route: RouteMetrics
    private let logged: LoggedResponses
    private let lines: RepeatedLines
    private let began = ContinuousClock.now

    /// - Parameters:
    ///   - route: as it was matched at the start: a file that is gone unsets it on the way.
    ///   - logged: the responses whose line is at `info`.
    ///   - lines: logs the messages that anybody can cause, limited in number.
    init(
        _ request: Request, _ context: ServerContext, _ route: RouteMetrics, _ logged: LoggedResponses,
        _ lines: RepeatedLines
    ) {
        method = request.method
        self.context = context
        self.route = route
        self.logged = logged
        self.lines = lines
    }

    /// Logs and counts the exchange; call it once. The log line has the request ID that the client gets as
    /// `X-Request-Id`. Lines that anybody can cause are limited by ``RepeatedLines``.
    ///
    /// - Parameter trouble: an error of the server's own, which the operator must see.
    func end(_ status: HTTPResponse.Status, _ trouble: (any Error)? = nil) {
        let time = ContinuousClock.now - began
        route.record(method, status.code, took: time)
        var metadata: Logger.Metadata = [
            "method": "\(method)", "route": "\(route.template)", "status": .stringConvertible(status.code),
            "milliseconds": .stringConvertible(time.milliseconds),
        ]
        metadata["account"] = context.notes.account.map { "\($0.text)" }
        metadata["admin"] = context.notes.administrator.map { "\($0.name)" }
        metadata["receipt"] = context.notes.receipt.map { "\($0)" }
        metadata["error"] = trouble.map { .string(Self.words(of: $0)) }
        let level: Logger.Level = trouble == nil ? (isNotable(status) ? .info : .debug) : .error
        let message = trouble == nil ? "request" : "request failed"
        guard isRepeatable(status), level > .debug else {
            return context.logger.log(level: level, "\(message)", metadata: metadata)
        }
        let kind = RepeatedLines.Kind(message, ["route": route.template, "status": "\(status.code)"])
        lines.log(kind, level, metadata: metadata, to: context.logger)
    }

    /// Text of an error: its description or, in place of Swift's form of a value, what its problem says.
    private static func words(of error: any Error) -> String {
        switch error {
        case let error as any CustomStringConvertible: error.description
        case let error as any ProblemConvertible: error.problem.detail ?? error.problem.title
        default: "\(error)"
        }
    }

    /// Whether anybody can cause this line at will, because the request needs no credentials or only those of an
    /// account, which anybody can create: every refused request, and every one without authentication.
    private func isRepeatable(_ status: HTTPResponse.Status) -> Bool {
        context.notes.administrator == nil && (context.notes.account == nil || status.code >= 400)
    }

    /// Whether the line is logged at `info`.
    private func isNotable(_ status: HTTPResponse.Status) -> Bool {
        switch logged {
        case .all: true
        case .refusals: status.code >= 400
        case .none: false
        }
    }
}

extension Duration {
    /// The duration in milliseconds, with one decimal.
    package var milliseconds: Double { (self / .microseconds(100)).rounded() / 10 }
}
