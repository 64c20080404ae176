import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Asks the store for a test notification: shows the outcome of the last one, and takes a reason.
struct NotificationTestPages: Sendable {
    static let path = "/admin/store/test-notification"
    static let title = "Ask for a test notification"

    let test: NotificationTest

    func add(to pages: PageRouter) {
        pages.formPage(Self.path, .store) { .page(try await content($0)) }
        pages.act(Self.path, .store, on: { .page(try await content($0)) }) { visit, form in
            _ = try await test.request(
                of: try Self.app(form["app"]), in: form["environment"], by: visit.context.actor, reason: form["reason"])
            return .redirect("/admin/store?done=asked#tests")
        }
    }

    /// The fields that say what is tested.
    ///
    /// - Parameter apps: those with a key for the store's API.
    static func choices(of apps: [BundleID]) -> [Field] {
        let environments = [InAppPurchase.Environment.production, .sandbox].map(\.rawValue)
        return [
            .choice("App", name: "app", apps.map { ($0.text, $0.text) }, hint: "It needs a key for the Server API."),
            .choice("Environment", name: "environment", environments.map { ($0, $0) }),
        ]
    }

    private static func app(_ name: String) throws -> BundleID {
        guard let app = try? BundleID(checking: name) else { throw Problem.unknownApp }
        return app
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let app = try Self.app(visit.query("app") ?? "")
        let environment = visit.query("environment") ?? InAppPurchase.Environment.production.rawValue
        let change = try await test.preview(of: app, in: environment, by: visit.context.actor, reason: "preview")
        let facts = [
            Fact("App", Cell(app.text, note: environment)), Fact("Now", Cell(change.wordsBefore(visit))),
            Fact("After it", Cell(change.wordsAfter(visit), note: "It comes within seconds, or never.")),
        ]
        let form = Form.act(
            Self.path.description, csrf: visit.csrf, hidden: [("app", app.text), ("environment", environment)],
            [AccountActPages.reason], button: Self.title)
        return PageContent(
            Self.title,
            [
                Block(
                    text:
                        "The App Store sends it to the address that it has for the app. Nothing is bought or changed.",
                    facts: facts),
                Block(form: form, links: [Link("Back without changes", "/admin/store#tests")]),
            ])
    }
}
