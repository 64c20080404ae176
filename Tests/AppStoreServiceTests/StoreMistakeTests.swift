@testable import QuartermasterServer
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InAppPurchase
import Ledger
import Logging
import ServerTestSupport
import Synchronization
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// Refusals by the App Store because of this server: a wrong request, a wrong secret, a wrong key.
@Suite struct StoreMistakeTests {
    /// 21000 and 21001: asked again after 1, 6 and 24 hours, then refused, and the player keeps the transaction.
    @Test(arguments: [21000, 21001])
    func `A wrong request to the store is not the player's fault`(status: Int) async throws {
        let log = LogRecorder()
        try await World.run(logger: log.logger(.error)) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", ["status": .integer(status)])
            let answer = try await world.post(bought.appReceipt, as: player)
            #expect(answer.status == 202, "\(answer)")
            let location = try #require(answer.headers[.location])
            func state(after seconds: TimeInterval) async throws -> JSONValue {
                world.clock.advance(by: seconds)
                await world.assembly.worker.askAboutDueReceipts()
                return try await world.call(.get, location, as: player).json["status"]
            }
            let waits: [TimeInterval] = [3_600, 6 * 3_600, 24 * 3_600]
            for wait in waits.dropLast() {
                let asked = try await Self.questions(in: world)
                #expect(try await state(after: wait - 10) == "pending")
                #expect(try await Self.questions(in: world) == asked, "not before its time")
                #expect(try await state(after: 11) == "pending")
                #expect(try await Self.questions(in: world) == asked + 1)
            }
            // Sending it again asks at once, and brings the end no nearer.
            #expect(try await world.post(bought.appReceipt, as: player).status == 202)
            #expect(try await state(after: 24 * 3_600 - 10) == "pending")
            #expect(try await state(after: 11) == "rejected")
            let refused = try await world.call(.get, location, as: player).json
            #expect(refused["reason"] == "unsupported" && refused["finish"] == false, "\(refused)")
            #expect(log.lines.contains { $0.hasPrefix("the App Store calls a request of this server wrong") })
            let admin = try await world.newAdmin(.read)
            let listed = try await world.call(.get, "/admin/v1/receipts?status=rejected", as: admin)
            #expect(listed.json["receipts"].array.count == 1, "\(listed)")
            #expect(listed.json["receipts"][0]["receipt"] == refused["receipt"])
            #expect(listed.json["receipts"][0]["reason"] == "unsupported")
            #expect(listed.json["receipts"][0]["account"].text == player.account)

            try await world.endFaults()
            #expect(try await world.post(bought.appReceipt, as: player).status == 200, "mended, it is delivered")
        }
    }

    private static func questions(in world: World) async throws -> Int {
        let samples = try await world.scrape().samples
        return samples.filter { $0.key.hasPrefix("quartermaster_store_request_duration_seconds_count") }
            .values.compactMap(Int.init).reduce(0, +)
    }

    /// The end of an outage wakes what waits for the store, and not what waits for people.
    @Test func `The end of an outage does not hurry a receipt that waits for people`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", ["status": 21000])
            #expect(try await world.post(bought.appReceipt, as: player).status == 202)
            let asked = try await Self.questions(in: world)
            try await world.ledger.retryPendingNow(at: world.clock.now)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await Self.questions(in: world) == asked)
        }
    }

    /// Sent again during an outage, or while the secret is wrong, it waits as long as before.
    @Test(arguments: [["http": 503], ["status": 21004]] as [JSONValue])
    func `Other trouble does not hurry a receipt that waits for people`(trouble: JSONValue) async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", ["status": 21000])
            #expect(try await world.post(bought.appReceipt, as: player).status == 202)
            world.clock.advance(by: 600)
            _ = try await world.act("faults", trouble)
            #expect(try await world.post(bought.appReceipt, as: player).status == 202)
            let asked = try await Self.questions(in: world)
            world.clock.advance(by: 2_990)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await Self.questions(in: world) == asked)
            world.clock.advance(by: 20)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await Self.questions(in: world) == asked + 1)
        }
    }

    @Test func `The list of receipts has pages`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            for number in 0..<3 { #expect(try await world.post("\(number)", as: player).status == 422) }
            let admin = try await world.newAdmin(.read)
            func page(_ query: String) async throws -> Answer {
                try await world.call(.get, "/admin/v1/receipts?" + query, as: admin)
            }
            let first = try await page("status=rejected&limit=2").json
            #expect(first["receipts"].array.count == 2)
            let next = try #require(first["next"].text)
            let second = try await page("status=rejected&limit=2&after=\(next)").json
            #expect(second["receipts"].array.count == 1 && second["next"] == .null)
            #expect(try await page("status=pending").json == ["receipts": []])
            for query in ["", "status=verified", "status=rejected&limit=0", "status=rejected&after=r_none"] {
                #expect(try await page(query).status >= 400, "\(query)")
            }
        }
    }

    static let products = """
        {"apps": [
          {"bundleID": "com.example.hangman", "products": [
            {"id": "com.example.hangman.hardwords", "type": "non-consumable", "bundles": ["hard-words"]}]},
          {"bundleID": "com.example.chess", "products": [
            {"id": "com.example.chess.board", "type": "non-consumable", "bundles": ["night-theme"]}]}]}
        """

    /// Receipts of an app whose secret is wrong wait, older and more than a round asks about; others do not wait for
    /// them, whichever app the client names.
    @Test(arguments: ["com.example.hangman", nil])
    func `One app does not hold up the others`(named: String?) async throws {
        try await World.run(products: Self.products) { world in
            let player = try await world.newPlayer()
            _ = try await world.act("faults", ["status": 21004])
            for number in 0...RetryWorker.atOnce {
                let receipt = Data(
                    """
                    {"purchase-info" = "\(Data(#"{"transaction-id" = "\#(number)"; "bid" = "com.example.chess";}"#.utf8)
                        .base64EncodedString())";}
                    """.utf8)
                let answer = try await world.post(receipt.base64EncodedString(), as: player, bundleID: named)
                #expect(answer.status == 202, "\(answer)")
                world.clock.advance(by: 1)
            }
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.transactionReceipt, as: player, bundleID: named).status == 202)
            try await world.endFaults()
            world.clock.advance(by: 301)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
        }
    }

    /// The client's word does not count: with another app's secret the App Store would say that the secret is wrong.
    @Test(arguments: ["com.example.hangman", "com.example.chess", nil])
    func `The shared secret is that of the app in the receipt`(named: String?) async throws {
        let passwords = try await Self.passwords(products: Self.products) { world, player in
            let bought = try await world.buy(
                "board", "non-consumable", ["bundleID": "com.example.chess", "productID": "com.example.chess.board"])
            for receipt in [bought.appReceipt, bought.transactionReceipt] {
                #expect(try await world.post(receipt, as: player, bundleID: named).status == 202)
            }
        }
        #expect(passwords == ["of chess", "of chess"])
    }

    /// Nobody can know whose secret the App Store would accept; any of them might be another app's.
    @Test func `A receipt that names no app is sent without a secret where there are several`() async throws {
        let purchase = Data(#"{"transaction-id" = "77";}"#.utf8).base64EncodedString()
        let receipt = Data(#"{"purchase-info" = "\#(purchase)";}"#.utf8).base64EncodedString()
        for named in [World.app, "com.example.chess"] {
            let passwords = try await Self.passwords(products: Self.products) { world, player in
                let answer = try await world.post(receipt, as: player, bundleID: named)
                #expect(answer.status == 202, "\(answer)")
            }
            #expect(passwords == ["-"], "\(named)")
        }
    }

    /// The values of `password` in the questions to a store that has trouble.
    private static func passwords(
        products: String, _ body: @Sendable @escaping (World, Player) async throws -> Void
    ) async throws -> [String] {
        let passwords = Mutex<[String]>([])
        let router = Router()
        router.post("verifyReceipt") { request, _ in
            let body = try await request.body.collect(upTo: 4 << 20)
            let members = try JSONDecoder().decode([String: String].self, from: Data(body.readableBytesView))
            passwords.withLock { $0.append(members["password"] ?? "-") }
            return #"{"status": 21005}"#
        }
        let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        try await application.test(.live) { store in
            let url = "http://127.0.0.1:\(store.port ?? 0)/verifyReceipt"
            let settings = [
                "QUARTERMASTER_VERIFY_RECEIPT_PRODUCTION": url, "QUARTERMASTER_VERIFY_RECEIPT_SANDBOX": url,
                "QUARTERMASTER_APPS_COM_EXAMPLE_HANGMAN_SHARED_SECRET": "of hangman",
                "QUARTERMASTER_APPS_COM_EXAMPLE_CHESS_SHARED_SECRET": "of chess",
            ]
            try await World.run(products: products, environment: settings) { world in
                try await body(world, try await world.newPlayer())
            }
        }
        return passwords.withLock { $0 }
    }

    /// A 401 of the Server API is about the key; the log must not send anybody to look for the shared secret.
    @Test func `The log names which credential the store refuses`() async throws {
        let router = Router()
        router.get("**") { _, _ in Response(status: .unauthorized) }
        let application = Application(router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)))
        let log = LogRecorder()
        try await application.test(.live) { store in
            let url = "http://127.0.0.1:\(store.port ?? 0)"
            let settings = ["QUARTERMASTER_SERVER_API_PRODUCTION": url, "QUARTERMASTER_SERVER_API_SANDBOX": url]
            try await World.run(environment: settings, hasServerKey: true, logger: log.logger(.error)) { world in
                let player = try await world.newPlayer()
                let bought = try await world.buy("hardwords", "non-consumable")
                #expect(try await world.post(bought.transactionID, as: player).status == 202)
                _ = try await world.act("faults", ["status": 21004])
                #expect(try await world.post(bought.appReceipt, as: player).status == 202)
            }
        }
        #expect(
            log.lines.map { $0.prefix { $0 != ";" } } == [
                "the App Store refuses the app's key for the Server API",
                "the App Store refuses the app's shared secret",
            ])
    }
}
