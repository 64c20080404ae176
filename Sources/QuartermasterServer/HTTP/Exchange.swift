import HTTPTypes
import Hummingbird
import InAppPurchase
import Logging

/// A request on its way to an answer, to be logged and counted when it is there.
struct Exchange {
    private let method: HTTPRequest.Method
    private let context: ServerContext
    private let route: RouteMetrics
    private let began = ContinuousClock.now

    /// - Parameter route: as it was matched: a file that is gone unsets it on the way.
    init(_ request: Request, _ context: ServerContext, _ route: RouteMetrics) {
        (method, self.context, self.route) = (request.method, context, route)
    }

    /// Once for each. One line, whose ID the client has as `X-Request-Id`, and one count.
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
        let level: Logger.Level = isNews(status) ? .info : .debug
        context.logger.log(
            level: trouble == nil ? level : .error, trouble == nil ? "request" : "request failed", metadata: metadata)
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
