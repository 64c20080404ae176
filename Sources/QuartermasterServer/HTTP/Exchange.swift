import HTTPTypes
import Hummingbird
import InAppPurchase
import Logging

/// A request on its way to an answer, to be logged and counted when it is there.
struct Exchange {
    private let method: HTTPRequest.Method
    private let context: ServerContext
    private let route: RouteMetrics
    private let lines: RepeatedLines
    private let began = ContinuousClock.now

    /// - Parameters:
    ///   - route: as it was matched: a file that is gone unsets it on the way.
    ///   - lines: gets those that anybody can cause.
    init(_ request: Request, _ context: ServerContext, _ route: RouteMetrics, _ lines: RepeatedLines) {
        method = request.method
        self.context = context
        self.route = route
        self.lines = lines
    }

    /// Once for each. One line, whose ID the client has as `X-Request-Id`, and one count; of what anybody can cause, as
    /// many lines as ``RepeatedLines`` has.
    ///
    /// - Parameter trouble: our own, which the operator must hear of.
    func end(_ status: HTTPResponse.Status, _ trouble: (any Error)? = nil) {
        let time = ContinuousClock.now - began
        route.record(method, status.code, took: time)
        var metadata: Logger.Metadata = [
            "method": "\(method)", "route": "\(route.template)", "status": "\(status.code)",
            "milliseconds": "\(time.milliseconds)",
        ]
        metadata["account"] = context.notes.account.map { "\($0.text)" }
        metadata["admin"] = context.notes.admin.map { "\($0.name)" }
        metadata["receipt"] = context.notes.receipt.map { "\($0)" }
        metadata["error"] = trouble.map { "\($0)" }
        let level: Logger.Level = trouble == nil ? (isNews(status) ? .info : .debug) : .error
        let message = trouble == nil ? "request" : "request failed"
        guard isRepeatable(status), level > .debug else {
            return context.logger.log(level: level, "\(message)", metadata: metadata)
        }
        let kind = RepeatedLines.Kind(message, ["route": route.template, "status": "\(status.code)"])
        lines.log(kind, level, metadata: metadata, to: context.logger)
    }

    /// Whether it takes no credentials, or only those of an account, which anybody can make, to have it again at will:
    /// what is refused is, and what nobody had to authenticate for.
    private func isRepeatable(_ status: HTTPResponse.Status) -> Bool {
        context.notes.admin == nil && (context.notes.account == nil || status.code >= 400)
    }

    /// Who watches, and who downloads, would bury the others.
    private func isNews(_ status: HTTPResponse.Status) -> Bool {
        let isDownload = [ContentRoutes.path, ProductRoutes.path].contains(route.template)
        return !HealthRoutes.paths.contains(route.template) && (!isDownload || status.code >= 400)
    }
}

extension Duration {
    /// With one decimal.
    var milliseconds: Double { (self / .microseconds(100)).rounded() / 10 }
}
