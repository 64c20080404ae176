import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The controls of the simulated App Store: buy, let something happen to a purchase, move the clock, make the store
/// fail.
struct SimulatorPages: Sendable {
    static let path = "/admin/simulator"
    /// The maximum number of products in the field for buying; others are bought over HTTP.
    private static let maximumProducts = 500

    let simulator: SimulatorClient
    let decisions: ServingContext

    func add(to pages: PageRouter) {
        pages.page("/admin/simulator", .simulator) { .page(try await content($0)) }
        let page: PageRouter.PageHandler = { .page(try await content($0)) }
        pages.act("/admin/simulator/buy", .simulator, on: page) { try await buy($1) }
        pages.act("/admin/simulator/act", .simulator, on: page) { try await act($1) }
        pages.act("/admin/simulator/clock", .simulator, on: page) { try await moveClock($1) }
        pages.act("/admin/simulator/faults", .simulator, on: page) { try await setFault($1) }
        pages.act("/admin/simulator/faults/end", .simulator) { _, _ in
            try await simulator.delete("faults")
            return .redirect("\(Self.path)?done=noFaults")
        }
    }

    // MARK: The page

    private func content(_ visit: Visit) async throws -> PageContent {
        let clock = try await simulator.get("clock")
        let now = Date(rfc3339: clock["now"]?.words ?? "") ?? visit.date
        let clockFacts = [
            Fact("Its time", .time(visit.time(now).moment)),
            Fact("Ahead of the true time", Cell("\(clock["offsetSeconds"]?.words ?? "0") seconds")),
        ]
        guard visit.mayChange else { return PageContent("Simulated App Store", [Block("Clock", facts: clockFacts)]) }
        return PageContent(
            "Simulated App Store", notice: Self.notice(visit),
            [
                Block("Buy", id: "buy", text: Self.buying, form: buyForm(visit)),
                Block("Trigger an event for a purchase", id: "act", form: Self.actForm(visit)),
                Block("Clock", id: "clock", facts: clockFacts, form: Self.clockForm(visit)),
                Block("Make the App Store fail", id: "faults", form: Self.faultForm(visit)),
                Block(form: .act("\(Self.path)/faults/end", csrf: visit.csrf, [], button: "End all faults")),
            ])
    }

    private static let buying =
        "Nobody pays. The purchase is the customer's in the App Store; the server gives it to an account when the app "
        + "sends it, or when support does."

    /// The transaction that a link names; empty for anything but digits.
    private static func transaction(_ visit: Visit) -> String {
        visit.query("transaction").flatMap { $0.allSatisfy(\.isNumber) ? $0 : nil } ?? ""
    }

    /// The notice after an act: words of this server only, whatever the link says.
    private static func notice(_ visit: Visit) -> Notice? {
        let transaction = transaction(visit)
        return switch visit.query("done") {
        case "buy": Notice("Bought: transaction \(transaction).", .good)
        case "act": Notice("The event was applied to transaction \(transaction).", .good)
        case "clock": Notice("The clock was moved. Everything due by then has happened.", .good)
        case "faults": Notice("The App Store fails from now on.", .waiting)
        case "noFaults": Notice("The App Store answers again.", .good)
        default: nil
        }
    }

    // MARK: Buying

    private var products: [(app: App, product: Product)] {
        let all = decisions.context.catalog.apps.lazy.flatMap { app in app.products.map { (app, $0) } }
        return Array(all.prefix(Self.maximumProducts))
    }

    private func buyForm(_ visit: Visit) -> Form {
        let options = products.map { app, product in
            (value: "\(app.bundleID.text) \(product.id.text)", text: "\(product.words), \(product.type.rawValue)")
        }
        return .act(
            "\(Self.path)/buy", csrf: visit.csrf,
            [
                .choice("Product", name: "product", options),
                .choice(
                    "Environment", name: "environment",
                    [Environment.production, .sandbox].map { ($0.rawValue, $0.rawValue) }),
                .input("Customer of the App Store", name: "customer", value: "customer"),
                .input(
                    "Account", name: "account", hint: "The appAccountToken that the app passes. May be empty.",
                    isRequired: false),
            ], button: "Buy")
    }

    private func buy(_ form: FormBody) async throws -> PageAnswer {
        let chosen = products.first { "\($0.app.bundleID.text) \($0.product.id.text)" == form["product"] }
        guard let (app, product) = chosen else { throw Problem.invalidRequest("product: choose one.") }
        var order: [String: JSONValue] = [
            "bundleID": .string(app.bundleID.text), "productID": .string(product.id.text),
            "type": .string(product.type.rawValue), "environment": .string(form["environment"]),
            "customer": .string(form["customer"]),
        ]
        if !form["account"].isEmpty { order["appAccountToken"] = .string(form["account"]) }
        let bought = try await simulator.post("purchases", order)
        return .redirect("\(Self.path)?done=buy&transaction=\((bought["transactionID"]?.words ?? "").pathEncoded)")
    }

    // MARK: Acts

    /// The acts that need nothing but a transaction: the part of the path before its ID, the part after it, and the
    /// label.
    private static let acts: [(kind: String, name: String, text: String)] = [
        ("transactions", "refund", "Refund"), ("transactions", "refund-reversed", "Take a refund back"),
        ("transactions", "refund-declined", "Decline a refund"),
        ("transactions", "consumption-request", "Ask about its consumption"),
        ("transactions", "revoke", "End Family Sharing"),
        ("subscriptions", "renew", "Renew the subscription"), ("subscriptions", "cancel", "Cancel the subscription"),
        ("subscriptions", "reenable", "Let it renew again"), ("subscriptions", "expire", "Expire the subscription"),
        ("subscriptions", "billing-retry", "Fail to bill"), ("subscriptions", "grace", "Fail to bill, with grace"),
        ("subscriptions", "grace-period-expired", "End the grace period"),
    ]

    private static func actForm(_ visit: Visit) -> Form {
        .act(
            "\(path)/act", csrf: visit.csrf,
            [
                .input(
                    "Transaction ID", name: "transaction", value: transaction(visit),
                    hint: "Of a subscription the original transaction ID."),
                .choice("What happens", name: "act", acts.map { ($0.name, $0.text) }),
            ], button: "Let it happen")
    }

    private func act(_ form: FormBody) async throws -> PageAnswer {
        let id = form["transaction"].pathEncoded
        guard let act = Self.acts.first(where: { $0.name == form["act"] }), !id.isEmpty else {
            throw Problem.invalidRequest("transaction, act: a transaction ID and what is to happen.")
        }
        try await simulator.post("\(act.kind)/\(id)/\(act.name)")
        return .redirect("\(Self.path)?done=act&transaction=\(id)")
    }

    // MARK: Clock and faults

    private static let steps: [(seconds: Int, text: String)] = [
        (3_600, "An hour"), (86_400, "A day"), (604_800, "A week"), (2_678_400, "31 days"), (31_536_000, "365 days"),
    ]

    private static func clockForm(_ visit: Visit) -> Form {
        .act(
            "\(path)/clock", csrf: visit.csrf,
            [.choice("Move it forward by", name: "seconds", steps.map { ("\($0.seconds)", $0.text) })],
            button: "Move the clock")
    }

    private func moveClock(_ form: FormBody) async throws -> PageAnswer {
        guard let step = Self.steps.first(where: { "\($0.seconds)" == form["seconds"] }) else {
            throw Problem.invalidRequest("seconds: choose a step.")
        }
        try await simulator.post("clock", ["advanceSeconds": .integer(step.seconds)])
        return .redirect("\(Self.path)?done=clock")
    }

    private static let faults: [(name: String, text: String, body: [String: JSONValue])] = [
        ("503", "503 to everything", ["http": .integer(503)]),
        ("429", "429, try again in a minute", ["retryAfterSeconds": .integer(60)]),
        ("drop", "Closed connections", ["drop": .bool(true)]),
        ("garbage", "Answers that are no JSON", ["garbage": .bool(true)]),
        ("delay", "Answers 10 seconds late", ["delaySeconds": .integer(10)]),
    ]

    private static func faultForm(_ visit: Visit) -> Form {
        .act(
            "\(path)/faults", csrf: visit.csrf,
            [
                .choice("The App Store's answer", name: "fault", faults.map { ($0.name, $0.text) }),
                .input(
                    "For how many requests", name: "count", type: "number", hint: "Empty for all, until it is ended.",
                    isRequired: false),
            ], button: "Make the App Store fail")
    }

    private func setFault(_ form: FormBody) async throws -> PageAnswer {
        guard var body = Self.faults.first(where: { $0.name == form["fault"] })?.body,
            form["count"].isEmpty || Int(form["count"]) != nil
        else { throw Problem.invalidRequest("fault, count: choose a fault, and a number or nothing.") }
        if let count = Int(form["count"]) { body["count"] = .integer(count) }
        try await simulator.post("faults", body)
        return .redirect("\(Self.path)?done=faults")
    }
}
