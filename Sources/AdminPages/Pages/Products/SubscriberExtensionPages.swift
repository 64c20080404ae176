import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Has the store extend the renewal dates of all subscribers of a product: the last extension with its progress, a
/// form, the number of subscribers, and the act.
struct SubscriberExtensionPages: Sendable {
    static let title = "Extend all subscribers"
    private static let limits =
        "As after an outage: every active subscriber is charged that many days later. The App Store does it in the "
        + "background, and refuses who was extended twice in a year."

    let extensions: SubscriberExtensions
    let random: RandomBytes

    func add(to pages: PageRouter) {
        let path = "/admin/products/{bundleID}/{id}/extend"
        pages.formPage(path, .products, about: .appInPath) { .page(try await content($0)) }
        pages.act(path, .products, about: .appInPath, on: { .page(try await content($0)) }) { visit, form in
            guard let days = Int(form["days"]), FormKey.isPossible(form["key"]) else {
                throw Problem.invalidRequest("The form is incomplete. Start again on the product's page.")
            }
            let question = try question(visit, environment: form["environment"], days: days, key: form["key"])
            _ = try await extensions.request(question, by: visit.administrator, reason: form["reason"])
            let path = Self.path(question.scope.app, question.product)
            return .redirect("\(path)?environment=\(question.scope.environment.rawValue)&done=extended")
        }
    }

    static func path(_ app: BundleID, _ product: ProductID) -> String { ShownProduct.path(app, product) + "/extend" }

    private func question(
        _ visit: Visit, environment: String?, days: Int, key: String = ""
    ) throws -> SubscriberExtensions.Question {
        let app = try visit.context.pathPart("bundleID", as: BundleID.self)
        guard let scope = try extensions.decisions.scope(bundleID: app, environment: environment) else {
            throw Problem.unknownApp
        }
        let product = try visit.context.pathPart("id", as: ProductID.self)
        return SubscriberExtensions.Question(product: product, scope: scope, days: days, key: key)
    }

    private func content(_ visit: Visit) async throws -> PageContent {
        let days = visit.query("days").flatMap { Int($0) }
        let isPossible = days.map((1...RenewalDates.maximumDays).contains) ?? false
        let question = try question(visit, environment: visit.query("environment"), days: isPossible ? days ?? 1 : 1)
        // It refuses what the act would refuse.
        let change = try await extensions.preview(question, by: visit.administrator, reason: "preview")
        let facts = [
            Fact(
                "Product", extensions.decisions.context.catalog.cell(question.product, of: question.scope.app)),
            Fact("App", Cell(question.scope.app.text, note: question.scope.environment.rawValue)),
            Fact("Active subscribers", Cell(change.before["subscribers"]?.words(visit) ?? "")),
        ]
        let last = try await extensions.last(of: question.product, in: question.scope)
        return PageContent(
            Self.title, notice: Self.notice(visit, isPossible: isPossible),
            [
                Block(text: Self.limits, facts: facts + Self.facts(about: last, visit)),
                isPossible ? confirmation(question, visit) : Self.choice(question),
            ])
    }

    private static func notice(_ visit: Visit, isPossible: Bool) -> Notice? {
        if visit.query("done") != nil {
            return Notice("The App Store extends them. Reload this page for its progress.", .good)
        }
        guard visit.query("days") != nil, !isPossible else { return nil }
        return Notice("A number of days from 1 to \(RenewalDates.maximumDays).", .bad)
    }

    private static func facts(about last: SubscriberExtension?, _ visit: Visit) -> [Fact] {
        guard let last else { return [] }
        let asked = Fact(
            "Last extension", Cell("\(last.days) days", note: "asked for on \(visit.time(last.requestedAt).text)"))
        guard let progress = last.progress else {
            return [
                asked, Fact("Its progress", .badge("Not known", .waiting, note: "the App Store has not said it yet")),
            ]
        }
        let numbers = "\(progress.extended) extended, \(progress.failed) not"
        return [
            asked,
            Fact(
                "Its progress",
                progress.isComplete ? .badge("Done", .good, note: numbers) : .badge("Running", .waiting, note: numbers)),
        ]
    }

    private static func choice(_ question: SubscriberExtensions.Question) -> Block {
        let environments = [InAppPurchase.Environment.production, .sandbox].map(\.rawValue)
        return Block(
            form: .query(
                path(question.scope.app, question.product),
                [
                    .choice(
                        "Environment", name: "environment", environments.map { ($0, $0) },
                        selected: question.scope.environment.rawValue),
                    .input("Number of days", name: "days", type: "number"),
                ], button: "Preview the result"), links: [back(question)])
    }

    private func confirmation(_ question: SubscriberExtensions.Question, _ visit: Visit) -> Block {
        let hidden = [
            ("environment", question.scope.environment.rawValue), ("days", "\(question.days)"),
            ("key", FormKey.new(random)),
        ]
        return Block(
            form: .act(
                Self.path(question.scope.app, question.product), csrf: visit.csrf, hidden: hidden,
                [AccountActPages.reason], button: "Extend all by \(question.days) days"), links: [Self.back(question)])
    }

    private static func back(_ question: SubscriberExtensions.Question) -> Link {
        Link("Back without changes", ShownProduct.path(question.scope.app, question.product))
    }
}
