import Basics
package import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// Statistics of purchases, subscriptions and refunds.
struct ReportRoutes: RouteFeature {
    let ledger: any ReportLedger & KeyValueStore
    let decisions: ServingContext

    func add(to groups: RouteGroups) {
        for kind in ReportKind.allCases {
            let query: Set = ["from", "to", "by", "app", "environment"]
            let facts = RouteFacts("report\(kind.rawValue.capitalized)")
            groups.admin.on(.get, "reports/\(kind.rawValue)", facts, query: query, about: .narrowed) {
                request, context in
                try await report(kind, request, by: context.administrator)
            }
        }
        groups.admin.on(
            .get, "reports/placements", RouteFacts("reportPlacements"), query: ["from", "to", "app", "environment"],
            about: .narrowed
        ) { request, context in
            try await placements(request, by: context.administrator)
        }
    }

    private func placements(_ request: Request, by administrator: Administrator) async throws -> Response {
        let query = try query(.purchases, by: .day, request)
        guard let id = query.app else { throw Problem.invalidRequest("app: the bundle ID of an app") }
        try administrator.require(id)
        let context = decisions.context
        guard let app = context.catalog.app(id) else { throw Problem.unknownApp }
        let report = try await PlacementReport(
            query, of: app, since: PlacementDates(ledger).since(in: id), in: ledger, at: context.date)
        return try .adminJSON(PlacementReportBody(report))
    }

    private func report(
        _ kind: ReportKind, _ request: Request, by administrator: Administrator
    ) async throws -> Response {
        let members = request.uri.queryParameters
        guard let grouping = members["by"].flatMap({ ReportGrouping(rawValue: String($0)) }) else {
            throw Problem.invalidRequest("by: \(ReportGrouping.names)")
        }
        let query = try query(kind, by: grouping, request)
        if let app = query.app { try administrator.require(app) } else { try administrator.requireEverything() }
        return try .adminJSON(ReportBody(await ledger.report(query, at: decisions.clock())))
    }

    private func query(_ kind: ReportKind, by grouping: ReportGrouping, _ request: Request) throws -> ReportQuery {
        let members = request.uri.queryParameters
        func time(_ name: String) throws -> Date {
            guard let date = members[Substring(name)].flatMap({ ReportTime.date(String($0)) }) else {
                throw Problem.invalidRequest("\(name): \(ReportTime.form)")
            }
            return date
        }
        let name = members["environment"].map(String.init) ?? InAppPurchase.Environment.production.rawValue
        guard let environment = InAppPurchase.Environment(known: name) else {
            throw Problem.invalidRequest("environment: Production, Sandbox or Xcode")
        }
        let query = try ReportQuery(
            kind, by: grouping, from: time("from"), to: time("to"), environment: environment,
            app: members["app"].map { BundleID(stored: String($0)) }, servedBy: decisions.live.current.catalog)
        guard let query else { throw Problem.invalidRequest(ReportQuery.bounds) }
        return query
    }
}

extension ReportGrouping {
    package static let names = allCases.map(\.rawValue).joined(separator: ", ")
}

extension ReportQuery {
    package static let bounds = "from must be before to, and at most \(maximumDays) days"
}

/// The beginning or the end of a report: an RFC 3339 time, or a day, which is its midnight in UTC.
package enum ReportTime {
    package static let form = "a day such as 2026-11-01, or an RFC 3339 time"

    /// - Returns: `nil` for anything else.
    package static func date(_ text: String) -> Date? { Date(rfc3339: text) ?? Date(rfc3339: text + "T00:00:00Z") }
}
