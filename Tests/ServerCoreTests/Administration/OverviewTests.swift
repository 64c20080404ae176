import AuditSeal
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerSQLite
import Logging
import ServerTestSupport
import TestSupport
import Testing

@testable import AdminPages
@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The words for an operator: nothing while all is well, and otherwise the most expensive trouble first.
@Suite struct OverviewTests {
    @Test func `A fresh server has no alarm`() async throws {
        try await World.run { world in
            let overview = try await world.overview()
            #expect(overview["well"] == true && overview["date"].text == World.start.rfc3339)
            let alarms = overview["alarms"].array
            #expect(alarms.map { $0["alarm"].text } == Alarm.Kind.allCases.map(\.rawValue))
            for alarm in alarms {
                #expect(alarm["level"] == "good" && alarm["count"] == 0, "\(alarm)")
                #expect(alarm["since"] == .null && alarm["remedy"] == .null, "\(alarm)")
                #expect(alarm["detail"].text?.isEmpty == false)
            }
        }
    }

    /// Paid for, and nothing was delivered: the product is named until it is in the catalog.
    @Test func `A bought product that is not in the catalog is the first alarm`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            for _ in 1...2 {
                let bought = try await world.buy("cheathints", "consumable")
                #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            }
            let alarm = try await world.alarm(.missingProducts)
            #expect(alarm["level"] == "bad" && alarm["count"] == 2)
            #expect(alarm["detail"].text == "\(World.app).cheathints of \(World.app) is not in the catalog")
            #expect(alarm["since"].text == World.start.rfc3339)
            #expect(alarm["remedy"].text == Alarm.Kind.missingProducts.remedy)
            #expect(try await world.overview()["well"] == false)
            #expect(try await world.scrapeAlarm(.missingProducts) == ["2", "2", "0"])
        }
    }

    /// A product that the catalog has with another type than the store's must be corrected, not added; the page leads
    /// there.
    @Test func `A product whose type differs from the store's is an alarm`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            for (product, type) in [("hardwords", "consumable"), ("cheat/hints", "consumable")] {
                let bought = try await world.buy(product, type)
                #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            }
            let detail = try #require(try await world.alarm(.missingProducts)["detail"].text)
            let mismatch = "is non-consumable in the catalog, and consumable in the App Store"
            #expect(detail.contains("\(World.app).hardwords of \(World.app) \(mismatch)"), "\(detail)")
            #expect(detail.contains("\(World.app).cheat/hints of \(World.app) is not in the catalog"), "\(detail)")
            let page = try await alice.get("/admin/store").html
            #expect(page.contains(mismatch))
            let links = page.matches(of: /href="([^"]*)">(Add this product|Correct its type)/)
                .map { String($0.output.1).unescaped }
            #expect(links.count == 2, "\(page)")
            for link in links { #expect(try await alice.get(link).status == 200, "\(link)") }
            let link = try #require(links.first { $0.contains("new-product") })
            #expect(link.contains("type=consumable"), "\(link)")
            for form in ["fields", "json"] {
                let page = try await alice.get("\(link)&as=\(form)").html.unescaped
                #expect(page.contains("\"\(World.app).cheat/hints\""), "\(page)")
            }
            let reader = try await world.visitor(.read, name: "bob")
            #expect(try await !reader.get("/admin/store").html.contains("Add this product"))
        }
    }

    @Test func `Silence of the store is an alarm only if somebody buys`() async throws {
        try await World.run(hasServerKey: true) { world in
            #expect(try await world.alarm(.noNotifications)["level"] == "good")
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let alarm = try await world.alarm(.noNotifications)
            #expect(alarm["level"] == "bad" && alarm["count"] == 1 && alarm["since"] == .null)
            let reported = try #require(try await world.signedPayloads().last)
            #expect(try await world.receive(reported).status == 200)
            #expect(try await world.alarm(.noNotifications)["level"] == "good")
            let scrape = try await world.measured()
            #expect(scrape["quartermaster_verified_notifications_total{type=\"ONE_TIME_CHARGE\"}"] == "1", "\(scrape)")
            #expect(scrape["quartermaster_newest_notification_age_seconds"] == "0")
            world.clock.advance(by: Overview.maximumSilence + 1)
            #expect(try await world.alarm(.noNotifications)["detail"].text == "None for a day, and no purchase either.")
            _ = try await world.post(world.buy("tenhints", "consumable").signedTransaction, as: player)
            let silent = try await world.alarm(.noNotifications)
            #expect(silent["level"] == "bad" && silent["since"].text == World.start.rfc3339)
        }
    }

    /// The most common error: the store's notifications go to another address. Fetching them does not correct that.
    @Test func `Fetched notifications do not end the alarm about the store's silence`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL("http://127.0.0.1:9/")
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            #expect(try await world.assembly.store.reconciler.reconcile().notifications == 1)
            let alarm = try await world.alarm(.noNotifications)
            #expect(alarm["level"] == "bad" && alarm["since"] == .null)
            #expect(alarm["detail"].text == "None ever came, although there are purchases: \(World.app)")
            #expect(try await world.measured()["quartermaster_newest_notification_age_seconds"] == nil)
            #expect(try await world.receive(try #require(try await world.signedPayloads().last)).status == 200)
            #expect(try await world.alarm(.noNotifications)["detail"] == "Notifications arrive.")
        }
    }

    /// Of two apps, one is silent: it is named.
    @Test func `The alarm about silence names the app`() {
        let (one, two) = (BundleID(stored: "com.example.one"), BundleID(stored: "com.example.two"))
        let hour = { (number: Double) in World.start - number * 3_600 }
        let received = [
            Scope(app: one, environment: .production): hour(1), Scope(app: two, environment: .production): hour(30),
            Scope(app: two, environment: .sandbox): hour(1),
        ]
        let activity = LedgerActivity(newestPurchases: [one: hour(2), two: hour(3)], newestNotifications: received)
        let alarm = Alarm.silence(activity, at: World.start)
        #expect(alarm.level == .bad && alarm.count == 1 && alarm.since == hour(30))
        #expect(alarm.detail == "None for a day, although there are purchases: com.example.two")
        let quiet = LedgerActivity(newestPurchases: [one: hour(2)], newestNotifications: received)
        #expect(Alarm.silence(quiet, at: World.start).level == .good)
    }

    private static func catalog(_ sandbox: String, hasNumber: Bool = false) -> String {
        let number = hasNumber ? #""appAppleID": 1234567890, "# : ""
        return #"{"apps": [{"bundleID": "\#(World.app)", \#(number)"sandbox": "\#(sandbox)", "products": []}]}"#
    }

    /// They stay until they are settled, also if that needs no start.
    @Test func `The warnings of the start are a list that shrinks`() async throws {
        let log = LogRecorder()
        try await World.run(
            products: Self.catalog("nobody"), environment: World.pagesOn, logger: log.logger(.warning)
        ) { world in
            let items = try await world.overview()["setup"].array
            #expect(items.map { $0["item"].text } == ["noStoreKey", "noStoreID", "sandboxNobody"], "\(items)")
            for item in items {
                #expect(item["app"].text == World.app && item["remedy"].text?.isEmpty == false, "\(item)")
                let line = "\(item["detail"].text ?? "") app=\(World.app)"
                #expect(log.lines.filter { $0 == line }.count == 1, "\(line): \(log.lines)")
            }
            #expect(try await world.overview()["well"] == true, "nobody lost anything yet")
            let alice = try await world.visitor(.read)
            let page = try await alice.get("/admin").html.unescaped
            #expect(
                page.contains("Still to set up") && page.contains("make the reviewer's account a tester"), "\(page)")
            var seen = CatalogWatcher.Seen()
            try world.write(Self.catalog("testers", hasNumber: true))
            for _ in 1...3 { try await world.lookAtCatalog(&seen) }
            let left = try await world.overview()["setup"].array
            #expect(left.map { $0["item"].text } == ["noStoreKey"], "\(left)")
        }
        try await World.run(
            products: Self.catalog("testers", hasNumber: true),
            environment: World.pagesOn, hasServerKey: true, logger: log.logger(.warning)
        ) { world in
            let page = try await world.visitor(.read).get("/admin").html
            #expect(!page.contains("Still to set up"))
            #expect(try await world.overview()["setup"] == [])
        }
    }

    /// For development: what is trusted besides Apple is listed, and the simulated App Store needs no key.
    @Test func `The list names what is for development only`() async throws {
        let settings = try await Settings.read([
            "QUARTERMASTER_SIMULATOR": "true", "QUARTERMASTER_SIMULATOR_PORT": "0",
            "QUARTERMASTER_PRODUCTS": Project.folder("products.json"),
            "QUARTERMASTER_CONTENT": Project.folder("content"),
            "QUARTERMASTER_APPS_COM_EXAMPLE_HANGMEN_SHARED_SECRET": "hush",
        ])
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        let assembly = try await Assembly.build(
            settings, handlers: Server.standardHandlers, ledger: ledger, clock: { World.start },
            random: systemRandomBytes, logger: World.quiet)
        let items = await assembly.store.condition(of: []).setup
        for service in assembly.services { try await (service as? HTTPClientService)?.close() }
        #expect(items.map(\.item) == ["simulator", "unknownApp"] && items.map(\.app) == [nil, nil], "\(items)")
    }

    /// The page first says what is wrong, and for each alarm what to do.
    @Test func `The overview page says what to do about each alarm`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let well = try await alice.get("/admin").html
            #expect(well.contains("All is well") && !well.contains(Alarm.Kind.missingProducts.remedy))
            let bought = try await world.buy("cheathints", "consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let html = try await alice.get("/admin").html.unescaped
            let notice = "2 things need you: Bought, and not given; Notifications of the App Store."
            #expect(html.contains("<p class=\"notice bad\" role=\"status\">\(notice)</p>"), "\(html)")
            for kind in [Alarm.Kind.missingProducts, .noNotifications] {
                #expect(html.contains(kind.remedy), "\(kind)")
            }
            #expect(!html.contains(Alarm.Kind.receiptsWaiting.remedy) && !html.contains("Since now"))
            let links = html.matches(of: /<a href="([^"]*)">([^<]*)<\/a>\s*<\/li>/).map {
                "\($0.output.1) \($0.output.2)"
            }
            #expect(links.contains("/admin/store#missing The products to add"), "\(links)")
            #expect(Set(links).count == links.count && !html.contains("Look at them"))
        }
    }

    @Test func `Waiting receipts and an outage of the store are alarms`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            _ = try await world.act("faults", ["http": 503])
            for _ in 1...6 {
                let bought = try await world.buy("hardwords", "non-consumable")
                #expect(try await world.post(bought.appReceipt, as: player).status == 202)
            }
            world.clock.advance(by: 90)
            let waiting = try await world.alarm(.receiptsWaiting)
            #expect(waiting["level"] == "bad" && waiting["count"] == 6)
            #expect(waiting["since"].text == World.start.rfc3339)
            let outage = try await world.alarm(.storeOutage)
            #expect(outage["level"] == "bad" && outage["count"] == 1)
            #expect(outage["detail"].text == "No answer: verifyReceipt Production")
            #expect(try await world.scrapeAlarm(.receiptsWaiting) == ["2", "6", "90"])
        }
    }

    @Test func `Content that was paid for and never downloaded is an alarm`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            #expect(try await world.alarm(.neverFetched)["level"] == "good")
            world.clock.advance(by: Overview.maximumDownloadDelay)
            let never = try await world.alarm(.neverFetched)
            #expect(never["level"] == "bad" && never["count"] == 1 && never["since"].text == World.start.rfc3339)
            #expect(try await world.call(.get, "/v1/bundles/hard-words", as: player).status == 200)
            #expect(try await world.alarm(.neverFetched)["level"] == "good")
            world.clock.advance(by: Overview.maximumDownloadDelay)
            let unconfirmed = try await world.alarm(.unconfirmedDeliveries)
            #expect(unconfirmed["level"] == "waiting" && unconfirmed["count"] == 1)
            #expect(unconfirmed["remedy"] == .null)
        }
    }

    @Test func `A refused catalog is an alarm`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            var seen = CatalogWatcher.Seen()
            let file = world.folder.appending(path: "products.json")
            try "{".write(to: file, atomically: true, encoding: .utf8)
            let watcher = try #require(world.assembly.services.compactMap { $0 as? CatalogWatcher }.first)
            for _ in 1...3 { await watcher.lookAtCatalog(&seen) }
            let alarm = try await world.alarm(.catalogRefused)
            let (alice, error) = (try await world.visitor(.read), try #require(alarm["detail"].text))
            #expect(try await alice.get("/admin").html.contains("href=\"/admin/products\">The catalog</a>"))
            let page = try await alice.get("/admin/products").html.unescaped
            #expect(page.contains("a newer catalog is refused, and this one served: \(error)"), "\(page)")
            #expect(alarm["level"] == "bad" && alarm["since"].text == World.start.rfc3339)
            #expect(alarm["detail"].text?.contains("products.json") == false, "a path is for the log")
            try Project.products.write(to: file, atomically: true, encoding: .utf8)
            for _ in 1...3 { await watcher.lookAtCatalog(&seen) }
            #expect(try await world.alarm(.catalogRefused)["level"] == "good")
            #expect(try await !alice.get("/admin/products").html.contains("refused"))
        }
    }

    @Test func `An audit trail that is not sealed is an alarm`() async throws {
        try await World.run { world in
            _ = try await world.newPlayer()
            #expect(try await world.alarm(.auditUnsealed)["level"] == "good")
            world.clock.advance(by: Overview.maximumSealAge + 1)
            #expect(try await world.alarm(.auditUnsealed)["level"] == "bad")
            let sealer = try #require(world.assembly.services.compactMap { $0 as? AuditSealer }.first)
            await sealer.seal()
            #expect(try await world.alarm(.auditUnsealed)["level"] == "good")
        }
    }

    /// Nobody must look at it for as long as no root key is used.
    @Test func `A list of keys that must be signed again is an alarm, ahead of time`() async throws {
        try await World.run { world in
            let day: TimeInterval = 86_400
            func alarm(_ days: Double) async throws -> [String] {
                world.clock.advance(by: World.start.addingTimeInterval(days * day).timeIntervalSince(world.clock.now))
                let alarm = try await world.alarm(.keysUnsigned)
                return [alarm["level"].text ?? "", "\(alarm["count"].number ?? -1)", alarm["detail"].text ?? ""]
            }
            #expect(try await alarm(400) == ["good", "0", "No root key is used."])
            _ = try await alarm(0)
            try await world.signKeys(days: 700)
            #expect(try await alarm(639) == ["good", "0", "Signed."])
            #expect(try await alarm(640) == ["waiting", "60", "60 days are left"])
            #expect(try await alarm(669) == ["waiting", "31", "31 days are left"])
            #expect(try await alarm(670) == ["bad", "30", "30 days are left"])
            #expect(try await alarm(699) == ["bad", "1", "1 day is left"])
            let over = try await alarm(701)
            #expect(over[0] == "bad" && over[2].hasPrefix("Due since"))

            // The next key, which the list does not name, signs 90 days after it was made.
            try await world.signKeys(days: 2_000)
            #expect(try await alarm(701)[0] == "good")
            try await world.reloadKeys()
            #expect(try await alarm(730) == ["good", "0", "Signed."])
            #expect(try await alarm(731) == ["waiting", "60", "60 days are left"])
            try await world.signKeys(days: 2_000)
            #expect(try await alarm(731)[0] == "good")
        }
    }

    /// A ledger that cannot be read: old numbers would say that all is well.
    @Test func `An alarm is not measured while the ledger cannot be read`() async throws {
        try await World.run { world in
            #expect(try await world.scrapeAlarm(.neverFetched) == ["0", "0", "0"])
            try await world.loseTables("manifestDeliveries")
            #expect(try await world.scrapeAlarm(.neverFetched) == [nil, nil, nil])
        }
    }

    /// An alarm that wakes nobody is useless; two have metrics that say more.
    @Test func `Every alarm has an alert`() throws {
        let alerts = try String(contentsOfFile: Project.folder("examples/monitoring/alerts.yaml"), encoding: .utf8)
        let others = [
            Alarm.Kind.receiptsWaiting: "quartermaster_oldest_pending_receipt_age_seconds",
            .catalogRefused: "quartermaster_catalog_last_reload_successful",
        ]
        for kind in Alarm.Kind.allCases {
            let metric = others[kind] ?? #"{alarm="\#(kind.rawValue)"}"#
            #expect(alerts.contains(metric), "\(kind)")
        }
    }

    @Test func `The monitoring page of the documentation has every alarm`() throws {
        let table = try #require(
            try DocumentedTable.all(in: "docs/operate/monitoring.md").first { $0.columns.first == "alarm" })
        #expect(table.rows.compactMap { $0["alarm"] } == Alarm.Kind.allCases.map(\.rawValue))
        let setup = try #require(
            try DocumentedTable.all(in: "docs/operate/monitoring.md").first { $0.columns.first == "item" })
        #expect(setup.rows.compactMap { $0["item"] } == SetupItem.Kind.allCases.map(\.rawValue))
    }
}

extension World {
    /// Signs the present keys with a root of its own.
    fileprivate func signKeys(days: Double) async throws {
        let keys = try #require(try await ManifestKeys.stored(in: ledger))
        let list = try KeyList(
            version: (keys.list?.list.version ?? 0) + 1, at: clock.now, expires: clock.now + days * 86_400,
            keys: JSONWebKeySet(keys).keys)
        try await SignedKeyList(list, by: RootKey(systemRandomBytes))
            .publish(to: ledger, over: keys, by: .command(user: "test"), at: clock.now)
    }

    /// Lets the server look for its keys, and make the next one if it is due.
    fileprivate func reloadKeys() async throws {
        await (try #require(assembly.services.compactMap { $0 as? ManifestKeyring }.first)).runOnce()
    }
}
