import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The audit trail, newest first.
struct AuditTrailPage: Sendable {
    private static let rows = 30

    let ledger: any AuditLedger

    func add(to pages: PageRouter) { pages.page("/admin/audit", .audit) { .page(try await content($0)) } }

    private func content(_ visit: Visit) async throws -> PageContent {
        do { return try await list(visit) } catch let error as Problem {
            return try PageContent("Audit trail", error, in: Self.form(visit))
        }
    }

    private static func form(_ visit: Visit) -> Form {
        .filter(
            "/admin/audit", fields(visit), button: "Show", isSet: AuditQuery.names.contains { visit.query($0) != nil })
    }

    private func list(_ visit: Visit) async throws -> PageContent {
        let before = try visit.request.number("before", in: 1...Int.max)
        let filter = try AuditQuery.filter { name in Self.time(name, visit)?.rfc3339 ?? visit.query(name) }
        let page = try await ledger.newestAuditRows(matching: filter, before: before, limit: Self.rows)
        let query = AuditQuery.names.compactMap { name in visit.query(name).map { "\(name)=\($0.pathEncoded)&" } }
            .joined()
        let path = "/admin/audit?\(query)"
        var links = before == nil ? [] : [Link("Newest events", path)]
        if let next = page.next { links.append(Link("Older events", "\(path)before=\(next)")) }
        let isShort = page.next != nil && page.rows.count < Self.rows
        return PageContent(
            "Audit trail",
            [
                Block(
                    text:
                        "Every receipt, decision and act. Nothing is ever removed from it; quartermaster audit verify "
                        + "checks that.", form: Self.form(visit)),
                Block(
                    "Events",
                    text: isShort
                        ? "Of \(AuditFilter.maximumLookedAt) events that were looked at; older ones may be among the rest."
                        : page.rows.isEmpty ? "None." : nil,
                    timeline: page.rows.map { $0.entry(visit, namesAccount: true) }, links: links),
            ])
    }

    private static func fields(_ visit: Visit) -> [Field] {
        let kinds = AuditEntry.Kind.allCases.map { (value: $0.rawValue, text: $0.words.title) }
            .sorted { $0.text < $1.text }
        func input(_ label: String, _ name: String, _ hint: String) -> Field {
            .input(label, name: name, value: visit.query(name) ?? "", hint: hint, isRequired: false)
        }
        func time(_ label: String, _ name: String, _ hint: String) -> Field {
            .time(label, name: name, value: Self.time(name, visit)?.formTime ?? "", hint: hint)
        }
        return [
            .choice("Event", name: "kind", [("", "any")] + kinds, selected: visit.query("kind")),
            input("By", "actor", "Such as admin:alice or command:root; empty for anybody."),
            input("Of one account", "account", "Its ID; empty for all."),
            time("From", "since", "In UTC. Empty for the beginning."),
            time("Until", "until", "In UTC: the first moment after it. Empty for now."),
        ]
    }

    /// The time in a parameter, as browsers or links write it; `nil` if it has none.
    private static func time(_ name: String, _ visit: Visit) -> Date? {
        guard ["since", "until"].contains(name) else { return nil }
        return visit.query(name).flatMap { Date(formTime: $0) }
    }
}
