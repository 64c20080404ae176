import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The accounts that the sandbox of each app admits, and the testers, so that support finds those that were forgotten.
struct SandboxPage: Sendable {
    private static let path = "/admin/sandbox"
    /// The testers on one page.
    static let rows = 50
    /// The maximum number of testers from the settings that are shown.
    private static let maximumConfigured = 100

    let ledger: any SupportLedger
    let decisions: ServingContext

    func add(to pages: PageRouter) { pages.page("/admin/sandbox", .sandbox) { .page(try await content($0)) } }

    private func content(_ visit: Visit) async throws -> PageContent {
        let position = visit.query("after").flatMap { TesterPosition(text: $0) }
        let page = try await TesterListBody(ledger, after: position, limit: Self.rows)
        let links = [
            position.map { _ in Link("The last ones", "\(Self.path)#testers") },
            page.next.map { Link("Earlier ones", "\(Self.path)?after=\($0.pathEncoded)#testers") },
        ]
        return PageContent(
            "Sandbox",
            [
                Block(
                    text:
                        "Purchases of the sandbox cost nothing. They are recorded always, and give access to whom the "
                        + "app admits. App Review buys in the sandbox, too: let everybody in while it tests the app.",
                    table: Self.table(decisions.context.catalog.apps, visit)),
                Block(
                    "Testers", id: "testers", text: "Make an account a tester on its page.",
                    table: Self.table(page, visit), links: links.compactMap { $0 }),
            ] + configured)
    }

    /// The accounts that each app admits, whether a submission to App Review would fail, and the acts.
    static func table(_ apps: [App], _ visit: Visit) -> Table {
        let rows = apps.map { app -> [Cell] in
            [
                Cell(app.bundleID.text), StorePage.sandbox(app, visit), app.reviewCell(visit),
                .actions(SandboxEditPages.acts(app, visit)),
            ]
        }
        return Table("Whom each app admits", columns: ["App", "Admits", "App Review", "Acts"], rows: rows)
    }

    private static func table(_ page: TesterListBody, _ visit: Visit) -> Table {
        let rows = page.testers.map { tester -> [Cell] in
            let account = "/admin/accounts/\(tester.account)"
            let acts = [
                Link("Remove it as a tester", "\(account)/remove-tester"),
                Link("Reset the sandbox", "\(account)/reset-sandbox"),
            ]
            return [
                .link(tester.account, account), .time(visit.time(tester.testerSince).moment),
                .actions(visit.mayChange ? acts : []),
            ]
        }
        return Table(
            "Made testers by support, newest first", columns: ["Account", "Since", "Acts"], rows: rows,
            empty: "Support made nobody a tester.")
    }

    /// The testers that the settings name, which no act can remove.
    private var configured: [Block] {
        guard !decisions.testers.isEmpty else { return [] }
        let shown = decisions.testers.map(\.text).sorted().prefix(Self.maximumConfigured)
        let more = decisions.testers.count - shown.count
        return [
            Block(
                "Testers by the settings",
                text: "The setting testers names them\(more > 0 ? ", and \(more) more" : ""); it alone removes them.",
                table: Table(
                    "By the settings", columns: ["Account"],
                    rows: shown.map { [.link($0, "/admin/accounts/\($0)")] }))
        ]
    }
}

extension App {
    /// Whether App Review, whose accounts are no testers, is given what it buys in the sandbox.
    fileprivate func reviewCell(_ visit: Visit) -> Cell {
        guard !sandbox.admits(tester: false, at: visit.date) else { return .badge("Is given what it buys", .good) }
        return .badge(
            "A submission would fail", .waiting, note: "the reviewer buys in the sandbox and is given nothing")
    }
}
