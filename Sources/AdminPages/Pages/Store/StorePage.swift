import Basics
import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// Whether the App Store answers, what each app needs to ask it, and which accounts each app's sandbox admits.
struct StorePage: Sendable {
    /// The maximum number of products in one table.
    private static let rows = 100

    let ledger: any StoreLedger & CatalogLedger & ReportLedger & AuditLedger & KeyValueStore
    let decisions: ServingContext
    let store: any Store

    func add(to pages: PageRouter) { pages.page("/admin/store", .store) { .page(try await content($0)) } }

    private func content(_ visit: Visit) async throws -> PageContent {
        let catalog = decisions.context.catalog
        let apps = catalog.apps
        let condition = await store.condition(of: apps.map(\.bundleID))
        let (missing, unavailable) = (try await ledger.missingProducts(), try await ledger.unavailableProducts(of: nil))
        return PageContent(
            store.name, notice: try await notice(visit, catalog),
            [
                Block("Does it answer?", table: Self.table(condition.interfaces, visit)),
                Block("Apps", table: Self.table(apps, withKey: condition.appsWithKey, visit)),
                try await tests(visit, catalog, askedOf: condition.appsWithKey),
                try await StoreNotifications(ledger: ledger, visit: visit, catalog: catalog).block,
                Block(
                    "Products that were bought and are not given", id: "missing",
                    text: Self.shown(of: missing.count), table: Self.table(missing, catalog, visit)),
                Block(
                    "Products that the App Store does not know", id: "unavailable",
                    text: Self.shown(of: unavailable.count), table: Self.table(unavailable, catalog, visit)),
            ])
    }

    /// The notice that a test was requested; otherwise that of the commonest misconfigurations, if there is one.
    private func notice(_ visit: Visit, _ catalog: Catalog) async throws -> Notice? {
        guard visit.query("done") == nil else {
            return Notice("A test notification is on its way. Reload this page in a few seconds.", .waiting)
        }
        let alarms = try await Alarm.ofNotifications(ledger, at: visit.date) { catalog }
        return alarms.isEmpty ? nil : Notice(alarms.map(\.words).joined(separator: " "), .bad)
    }

    /// The note on how many rows are shown; `nil` if all are.
    private static func shown(of count: Int) -> String? {
        count > rows ? "The first \(rows) of \(count) are shown." : nil
    }

    private static func table(_ interfaces: [StoreCondition.Interface], _ visit: Visit) -> Table {
        let rows = interfaces.map { interface -> [Cell] in
            [
                Cell(interface.name), Cell(interface.environment.rawValue),
                interface.outage.map { Cell.badge("Does not answer", .bad, note: "since \(visit.time($0).text)") }
                    ?? Cell.badge("No outage", .good),
            ]
        }
        return Table(
            "Whether the last requests were answered", columns: ["Interface", "Environment", "State"], rows: rows)
    }

    private static func table(_ apps: [App], withKey: Set<BundleID>, _ visit: Visit) -> Table {
        let rows = apps.map { app -> [Cell] in
            let hasKey = withKey.contains(app.bundleID)
            return [
                Cell(app.bundleID.text, note: "\(app.products.count) products"),
                hasKey ? .badge("Key", .good) : .badge("No key", .waiting, note: "orders cannot be looked up"),
                sandbox(app, visit),
            ]
        }
        return Table("Apps of the catalog", columns: ["App", "Server API", "Sandbox"], rows: rows)
    }

    private static func table(_ missing: [MissingProduct], _ catalog: Catalog, _ visit: Visit) -> Table {
        let rows = missing.prefix(Self.rows).map { product -> [Cell] in
            [
                catalog.cell(product.product, of: product.app, note: product.trouble(in: catalog)),
                Cell(product.app.text), Cell("\(product.purchases)"), .time(visit.time(product.oldest).moment),
                .actions(visit.mayChange ? [product.remedy(in: catalog)] : []),
            ]
        }
        return Table(
            "Add each with the type that it has in the App Store: what was bought is delivered then",
            columns: ["Product", "App", "Purchases", "Since", "Acts"], rows: rows,
            empty: "Every product that was bought is known.")
    }

    private static func table(_ unavailable: [UnavailableProduct], _ catalog: Catalog, _ visit: Visit) -> Table {
        let rows = unavailable.prefix(Self.rows).map { product -> [Cell] in
            [
                catalog.cell(product.product, of: product.app), Cell(product.app.text),
                .time(visit.time(product.date).moment), Cell("\(product.addresses)"),
            ]
        }
        return Table(
            "As apps reported", columns: ["Product", "App", "Day", "Addresses"], rows: rows,
            empty: "None was reported from \(UnavailableProduct.shownAddresses) addresses or more.")
    }

    /// The last test notifications, and the form for another one.
    private func tests(_ visit: Visit, _ catalog: Catalog, askedOf appsWithKey: Set<BundleID>) async throws -> Block {
        let apps = catalog.apps.map(\.bundleID).filter(appsWithKey.contains)
        let tests = try await TestNotifications(ledger: ledger).all().filter { catalog.app($0.app) != nil }
        let rows = tests.map { test -> [Cell] in
            [
                Cell(test.app.text), Cell(test.environment.rawValue), .time(visit.time(test.requestedAt).moment),
                state(of: test, visit),
            ]
        }
        let form = Form.query(
            NotificationTestPages.path.description, NotificationTestPages.choices(of: apps),
            button: NotificationTestPages.title)
        return Block(
            "Do its notifications arrive?", id: "tests",
            table: Table(
                "The last test of each app", columns: ["App", "Environment", "Asked for", "State"], rows: rows,
                empty: "No test notification was asked for."), form: visit.mayChange && !apps.isEmpty ? form : nil)
    }

    private func state(of test: TestNotificationRecord, _ visit: Visit) -> Cell {
        if let date = test.arrivedAt { return .badge("Came", .good, note: visit.time(date).text) }
        if let refusal = test.refusal { return .badge("Refused", .bad, note: refusal) }
        return test.isMissing(at: visit.date) ? .badge("Did not come", .bad) : .badge("On its way", .waiting)
    }

    /// The accounts to which sandbox purchases give access, and until when, if to everybody for a time.
    static func sandbox(_ app: App, _ visit: Visit) -> Cell {
        switch app.sandbox {
        case .nobody: .badge("Nobody", .plain)
        case .testers: .badge("Testers", .plain)
        case .everyone: .badge("Everybody", .bad, note: "purchases that cost nothing give access")
        case .everyoneUntil(let end):
            visit.date < end
                ? .badge("Everybody", .waiting, note: "until \(visit.time(end).text), \(visit.time(end).distance)")
                : .badge("Testers", .plain, note: "everybody until \(visit.time(end).text)")
        }
    }
}
