import Foundation
import Hummingbird
import ServerCore
import ServerHTTP

/// Chooses the time zone in which the pages show times: no page has a script that could ask the browser.
struct TimeZonePage: Sendable {
    static let path = "/admin/time-zone"
    static let cookie = "__Host-qm_zone"
    /// A year: who comes back is not asked again.
    private static let cookieSeconds = 31_536_000
    /// Those that name a place; the others are older names of the same.
    private static let names = TimeZone.knownTimeZoneIdentifiers.filter { $0.contains("/") }.sorted()

    func add(to pages: PageRouter) {
        pages.page("/admin/time-zone", .overview, about: .narrowed) { .page(try content($0)) }
    }

    /// The time zone that a request's cookie names; `nil` for UTC.
    static func zone(of request: Request) -> TimeZone? {
        SessionCookie.value(of: cookie, in: request).flatMap { zone(named: $0) }
    }

    private static func zone(named name: String) -> TimeZone? {
        names.contains(name) ? TimeZone(identifier: name) : nil
    }

    private func content(_ visit: Visit) throws -> PageContent {
        let chosen = visit.query("zone")
        let name = chosen ?? visit.zone?.identifier ?? "UTC"
        guard name == "UTC" || Self.zone(named: name) != nil else {
            throw Problem.invalidRequest("zone: the name of a time zone, such as Europe/Berlin")
        }
        let now = PageTime(visit.date, now: visit.date, in: Self.zone(named: name)).text
        let field = Field.choice(
            "Time zone", name: "zone", (["UTC"] + Self.names).map { ($0, $0) }, selected: name,
            hint: "This browser keeps it, for a year.")
        var content = PageContent(
            "Time zone", notice: chosen.map { Notice("Times are shown in \($0), with UTC beside.", .good) },
            [
                Block(text: "Now it is \(now).", form: .query(Self.path, [field], button: "Show times in it"))
            ])
        content.cookie = chosen.map {
            "\(Self.cookie)=\($0); Max-Age=\(Self.cookieSeconds); Path=/; Secure; HttpOnly; SameSite=Strict"
        }
        return content
    }
}
