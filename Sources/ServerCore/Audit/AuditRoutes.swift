import Foundation
import Hummingbird
import InAppPurchase
package import Ledger
import ServerHTTP

/// The audit trail in pages.
package struct AuditRoutes: RouteFeature {
    /// The maximum number of rows on a page, which is read into memory as a whole.
    package static let maximumRows = 1_000
    package static let defaultRows = 100

    package let ledger: any AuditLedger

    package func add(to groups: RouteGroups) {
        let query = Set(AuditQuery.names + ["after", "limit"])
        groups.admin.on(.get, "audit", RouteFacts("listAuditRows"), query: query, about: .narrowed) {
            try await page($0, $1)
        }
    }

    private func page(_ request: Request, _ context: ServerContext) async throws -> Response {
        let after = try request.number("after", in: 0...Int.max) ?? 0
        let limit = try request.limit(upTo: Self.maximumRows, default: Self.defaultRows)
        var filter = try AuditQuery.filter { request.uri.queryParameters[Substring($0)].map(String.init) }
        let administrator = try context.administrator
        if filter.account == nil { try administrator.requireEverything() }
        filter.reach = administrator.reach
        let page = try await ledger.auditRows(matching: filter, after: after, limit: limit)
        let next = page.next ?? page.rows.last?.sequence ?? after
        return try .adminJSON(
            AuditPage(rows: page.rows.filter(administrator.reach.includes).map(AuditRowBody.init), next: next))
    }
}

private struct AuditPage: Encodable {
    var rows: [AuditRowBody]
    /// The value of `after` for the next page; the same value again if there is nothing newer. A page looks at no more
    /// than ``/Ledger/AuditFilter/maximumLookedAt`` rows, so it may be empty while the next one is not.
    var next: Int
}
