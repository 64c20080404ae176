import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The products that administrators gave an account without a purchase, on its page.
struct GivenProducts {
    let report: AccountReport
    let visit: Visit
    let catalog: Catalog

    private var path: String { "/admin/accounts/\(report.facts.account.text)" }

    var block: Block {
        let rows = report.grants.entries.map { recorded -> [Cell] in
            let grant = recorded.grant
            return [
                .time(visit.time(recorded.date).moment),
                catalog.cell(grant.product, of: grant.scope.app, note: catalog.remark(of: grant.scope)),
                standing(of: recorded),
                Cell(recorded.actor, note: recorded.reason),
                .actions(actions(on: recorded)),
            ]
        }
        return Block(
            "Given by support", id: "grants",
            text: "Access without a purchase."
                + (report.grants.isTruncated ? " The newest \(rows.count) are shown." : ""),
            table: Table(
                "Products that were given", columns: ["Given", "Product", "Usable?", "By", "Acts"], rows: rows,
                empty: "Nothing was given."), links: visit.mayChange ? [Link(GrantPages.title, "\(path)/grant")] : [])
    }

    private func standing(of recorded: RecordedGrant) -> Cell {
        if let date = recorded.revokedAt { return .badge("Taken back", .plain, note: visit.time(date).text) }
        let end = recorded.grant.end.map { visit.time($0).text }
        guard recorded.stands(at: visit.date) else { return .badge("Ended", .plain, note: end) }
        return .badge("Yes", .good, note: end.map { "until \($0)" } ?? "without end")
    }

    private func actions(on recorded: RecordedGrant) -> [Link] {
        guard visit.mayChange, recorded.stands(at: visit.date) else { return [] }
        return [Link("Take back", "\(path)/grants/\(recorded.grant.id.pathEncoded)/revoke")]
    }
}
