import Basics
import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Changes whom the sandbox of an app admits, and nothing else of its settings: a choice, the difference, and the
/// change as that of any setting.
struct SandboxEditPages: Sendable {
    /// The number of days that are suggested for App Review.
    private static let days = 14

    let catalog: CatalogServices

    func add(to pages: PageRouter) {
        pages.formPage("/admin/apps/{bundleID}/sandbox-access", .products, about: .appInPath) { visit in
            .page(try await content(visit))
        }
    }

    // MARK: Links

    private static func path(_ app: BundleID) -> String { "/admin/apps/\(app.text.pathEncoded)/sandbox-access" }

    static func letTestersIn(_ app: BundleID) -> Link { Link("Let testers in", "\(path(app))?admit=testers") }

    static func letEverybodyIn(_ app: BundleID, _ visit: Visit) -> Link {
        let day = lastDay(visit)
        return Link("Let everybody in until \(day)", "\(path(app))?admit=everyone&lastDay=\(day)")
    }

    /// The ways to let more accounts in than the app does. They change the catalog, also where support acts.
    static func acts(_ app: App, _ visit: Visit) -> [Link] {
        guard visit.administrator.may(.write) else { return [] }
        let more = [
            app.sandbox == .nobody ? letTestersIn(app.bundleID) : nil,
            app.sandbox.admits(tester: false, at: visit.date) ? nil : letEverybodyIn(app.bundleID, visit),
        ]
        return more.compactMap { $0 } + [Link("Change", path(app.bundleID))]
    }

    private static func lastDay(_ visit: Visit) -> String {
        String(visit.date.addingTimeInterval(Double(days) * 86_400).rfc3339.prefix("2026-12-31".count))
    }

    // MARK: The page

    private enum Admitted: String, CaseIterable {
        case testers
        case everyone
        case nobody

        var title: String {
            switch self {
            case .testers: "Testers only, until somebody changes it"
            case .everyone: "Everybody until the day below, then testers: for App Review"
            case .nobody: "Nobody"
            }
        }

        var result: String {
            switch self {
            case .testers:
                "Sandbox purchases, which cost nothing, give access to testers. It holds until it is changed."
            case .everyone:
                "Sandbox purchases, which cost nothing, give access to everybody until then, App Review among them, "
                    + "and afterwards to testers only."
            case .nobody: "Sandbox purchases give no access to anybody, App Review included."
            }
        }
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let (file, entry) = try await AppSettingsPages(catalog: catalog).shown(visit)
        let app = try visit.app
        guard let choice = visit.query("admit") else { return Self.form(app, nil, visit) }
        guard let admitted = Admitted(rawValue: choice) else { return Self.form(app, "Choose whom.", visit) }
        guard let end = GrantEnd(lastDay: visit.query("lastDay")), admitted != .everyone || end.date != nil else {
            return Self.form(app, "Enter a day such as \(Self.lastDay(visit)).", visit)
        }
        var members = try EntryMembers(entry)
        members.set("sandbox", to: Self.setting(admitted, until: end.date))
        let draft = AppDraft(app: app, entry: members.json, base: entry, revision: file.revision)
        return try await EntryReview(catalog: catalog, visit: visit).content(
            of: draft, title: Self.title, text: admitted.result)
    }

    private static let title = "Change whom the sandbox admits"

    private static func setting(_ admitted: Admitted, until end: Date?) -> Data {
        guard admitted == .everyone, let end else { return admitted.rawValue.jsonText }
        return Data("{\"everyoneUntil\": ".utf8) + TimeFormat.wholeSeconds.text(of: end).jsonText + Data("}".utf8)
    }

    private static func form(_ app: BundleID, _ error: String?, _ visit: Visit) -> PageContent {
        PageContent(
            title, notice: error.map { Notice($0, .bad) },
            [
                Block(
                    text: "A submission to App Review fails while the sandbox does not admit everybody: the reviewer "
                        + "buys in the sandbox, with a new account, and is given nothing.",
                    facts: [Fact("App", Cell(app.text))],
                    form: .query(
                        path(app),
                        [
                            .choice(
                                "Whose sandbox purchases give access", name: "admit",
                                Admitted.allCases.map { ($0.rawValue, $0.title) }, selected: visit.query("admit")),
                            .input(
                                "The last day, for everybody", name: "lastDay", type: "date",
                                value: visit.query("lastDay") ?? lastDay(visit), hint: "In UTC.", isRequired: false),
                        ], button: "Preview the result"),
                    links: [Link("Back without changes", "/admin/products?app=\(app.text.pathEncoded)")])
            ])
    }
}
