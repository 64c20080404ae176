import AppStore
import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import Logging
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import LedgerSQL
@testable import LedgerSQLite
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Bytes of strangers do not fill the disk, and genuine receipts find room.
@Suite struct ReceiptBytesTests {
    static let tooManyBytes = ExpectedProblem(429, "too_many_requests")

    /// Bytes that begin like receipts and are none.
    static func garbage(_ size: Int, beginning: UInt8, _ seed: UInt64) -> String {
        var random = SeededGenerator(seed: seed)
        return Data([beginning] + (1..<size).map { _ in UInt8.random(in: .min ... .max, using: &random) })
            .base64EncodedString()
    }

    /// A transaction receipt that anybody can write, of the maximum size.
    static func forgedTransactionReceipt(_ number: Int, size: Int = 60_000) -> String {
        let purchase = Data(#"{"transaction-id" = "\#(number)"; "bid" = "\#(World.app)";}"#.utf8).base64EncodedString()
        let padding = String(repeating: "x", count: max(0, size * 3 / 4 - purchase.utf8.count - 40))
        return Data(#"{"purchase-info" = "\#(purchase)"; "pad" = "\#(padding)";}"#.utf8).base64EncodedString()
    }

    private func contents(in world: World) async throws -> [Int] {
        let ledger = try #require(world.ledger as? SQLLedger)
        return try await ledger.read { rows in
            try rows.all("SELECT length(content) AS n FROM receipts ORDER BY recordedAt, id", []).map { try $0["n"] }
        }
    }

    /// Bytes that begin like an app receipt or a property list, and a signed transaction that lost its end.
    @Test(arguments: ["local", "verifyReceipt"])
    func `Garbage leaves its hash, length and reason only`(judge: String) async throws {
        try await World.run(environment: ["QUARTERMASTER_APP_RECEIPTS": judge]) { world in
            try await world.unharmed { player in
                let header = try await world.buy("tenhints", "consumable").signedTransaction.prefix { $0 != "." }
                let kept = try await contents(in: world)
                let sent = [
                    Self.garbage(300_000, beginning: 0x30, 1), Self.garbage(300_000, beginning: 0x7B, 2),
                    Data(("{" + String(repeating: "a", count: 300_000)).utf8).base64EncodedString(),
                    Data(#"{"signature" = "x";}"#.utf8).base64EncodedString(), String(header),
                    Self.forgedTransactionReceipt(7, size: 100_000),
                ]
                for text in sent {
                    try await world.post(text, as: player).expect(.rejected("malformed"), "\(text.prefix(20))")
                }
                #expect(try await contents(in: world).reduce(0, +) == kept.reduce(0, +))
                let trail =
                    try await world.auditRows(of: "receipt.unreadable") + world.auditRows(of: "receipt.recorded")
                for text in sent {
                    let (hash, length) = (Data(text.utf8).sha256Text, text.utf8.count)
                    #expect(
                        trail.contains { $0.contains("\"length\":\(length)") && $0.contains(hash) },
                        "\(text.prefix(20))")
                }
                let asked = try await world.scrape().samples.filter {
                    $0.key.hasPrefix("quartermaster_store_request_duration_seconds_count")
                }
                #expect(asked.values.allSatisfy { $0 == "0" }, "\(asked)")
                let answer = try await world.call(
                    .post, "/v1/restore", ["receipts": .array(sent.map { .string($0) })], as: player)
                #expect(answer.json["receipts"].array.allSatisfy { $0["reason"] == "malformed" }, "\(answer)")
                #expect(try await contents(in: world).reduce(0, +) == kept.reduce(0, +))
            }
        }
    }

    /// Only a part of it was read, whose hash would be of something that nobody sent.
    @Test func `A body that is too large leaves no hash`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let large = ByteBuffer(repeating: UInt8(ascii: "x"), count: Limits.receiptBodyBytes + 1)
            try await world.send(.post, "/v1/receipts", large, as: player).expect(.tooLarge)
            let length = large.readableBytes
            #expect(
                try await world.auditRows(of: "receipt.unreadable")
                    == [#"{"announcedLength":\#(length),"reason":"body too large"}"#])
        }
    }

    /// The client's answer is decided already.
    @Test func `A refusal that cannot be recorded is still a refusal`() async throws {
        let log = LogRecorder()
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        try await World.run(ledger: ledger, logger: log.logger(.error)) { world in
            let player = try await world.newPlayer()
            try await ledger.execute(
                """
                CREATE TRIGGER full BEFORE INSERT ON audit WHEN NEW.kind = 'receipt.unreadable'
                BEGIN SELECT RAISE(ABORT, 'no room'); END
                """)
            let large = ByteBuffer(repeating: UInt8(ascii: "x"), count: Limits.receiptBodyBytes + 1)
            try await world.send(.post, "/v1/receipts", large, as: player).expect(.tooLarge)
            let text = String(repeating: "x", count: Receipt.maximumSize + 1)
            try await world.post(text, as: player).expect(.tooLarge)
            let body = ByteBuffer(string: "{")
            #expect(try await world.send(.post, "/v1/receipts", body, as: player).status == 400)
            #expect(log.lines.count == 3 && log.lines.allSatisfy { $0.contains("cannot be recorded") }, "\(log.lines)")
        }
    }

    /// The ratio of 200 MB to 5 MB, at a twentieth of it: what the budgets admit stays, and nothing else.
    @Test func `Garbage of twenty accounts does not fill the disk`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "bytes-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "ledger.sqlite").path
        let ledger = try SQLiteLedger.open(path: path, handlers: Server.standardHandlers)
        let budgets = [
            "QUARTERMASTER_LIMITS_PENDING_KILOBYTES_PER_ADDRESS": "100",
            "QUARTERMASTER_LIMITS_REJECTED_KILOBYTES_PER_ADDRESS": "50", "QUARTERMASTER_APP_RECEIPTS": "local",
        ]
        try await World.run(ledger: ledger, environment: budgets) { world in
            let before = try await Self.size(of: ledger)
            var sent = 0
            let genuine = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", ["status": 21005])
            let forgery = try SigningAuthority().jws(SigningAuthority.transaction())
            for number in 0..<20 {
                let player = try await world.newPlayer()
                let texts = [
                    Self.garbage(150_000, beginning: 0x30, UInt64(number)),
                    Self.garbage(150_000, beginning: 0x7B, UInt64(number)), Self.forgedTransactionReceipt(number),
                    Self.forgedTransactionReceipt(1_000 + number), String(forgery.dropLast(4)) + "\(1_000 + number)",
                ]
                for text in texts {
                    let answer = try await world.post(text, as: player)
                    #expect([202, 422, 429].contains(answer.status), "\(answer)")
                    sent += text.utf8.count
                }
            }
            let grown = try await Self.size(of: ledger) - before
            #expect(sent > 10_000_000 && grown < sent / 40, "\(sent) bytes sent, \(grown) kept")
            let player = try await world.newPlayer()
            #expect(try await world.post(genuine.signedTransaction, as: player).status == 200, "genuine ones find room")
            #expect(try await world.post(genuine.appReceipt, as: player).status == 200)
        }
    }

    private static func size(of ledger: SQLLedger) async throws -> Int {
        try await ledger.read { rows in
            let row = try rows.one(
                "SELECT page_count * page_size AS n FROM pragma_page_count(), pragma_page_size()", [])
            return try row?["n"] ?? 0
        }
    }

    @Test func `Refused receipts beyond the budget have to wait for another day`() async throws {
        let budget = ["QUARTERMASTER_LIMITS_REJECTED_KILOBYTES_PER_ACCOUNT": "10"]
        try await World.run(environment: budget) { world in
            let (player, other) = (try await world.newPlayer(), try await world.newPlayer())
            let forger = try SigningAuthority()
            let forgeries = try (0..<7).map { id in
                try forger.jws(SigningAuthority.transaction(["transactionId": .string("\(id)")]))
            }
            var answers: [Answer] = []
            for text in forgeries.prefix(6) { answers.append(try await world.post(text, as: player)) }
            let refused = try #require(answers.last)
            refused.expect(Self.tooManyBytes)
            #expect(answers.first?.status == 422)
            #expect(refused.headers[.retryAfter] == "\(86_400 - Int(World.start.timeIntervalSince1970) % 86_400)")
            let text = forgeries[5]
            let trail = try await world.auditRows(of: "receipt.unreadable")
            let length = "\"length\":\(text.utf8.count)"
            #expect(trail.contains { $0.contains(length) && $0.contains("too many bytes, rejected") }, "\(trail)")
            let restored = try await world.call(
                .post, "/v1/restore", ["receipts": [.string(forgeries[6]), .string(forgeries[0])]], as: player)
            let receipts = restored.json["receipts"]
            #expect(receipts[0]["reason"] == "too_many_requests" && receipts[0]["finish"] == false, "\(restored)")
            #expect(receipts[1]["reason"] == "chain", "what is kept has its answer")
            #expect(try await world.scrape()["quartermaster_rate_limited_total{limit=\"rejectedBytes\"}"] != "0")
            let genuine = try await world.buy("tenhints", "consumable").signedTransaction
            #expect(try await world.post(genuine, as: player).json["balances"] == ["hints": 10])
            #expect(try await world.post(forgeries[5], as: other).status == 422)
            world.clock.advance(by: 86_400)
            #expect(try await world.post(forgeries[5], as: player).status == 422)
        }
    }

    @Test func `Receipts that wait have a budget`() async throws {
        let budget = ["QUARTERMASTER_LIMITS_PENDING_KILOBYTES_PER_ADDRESS": "100"]
        try await World.run(environment: budget) { world in
            let (player, other) = (try await world.newPlayer(), try await world.newPlayer())
            let genuine = try await world.buy("tenhints", "consumable").transactionReceipt
            _ = try await world.act("faults", ["status": 21005])
            #expect(try await world.post(Self.forgedTransactionReceipt(1), as: player).status == 202)
            let refused = try await world.post(Self.forgedTransactionReceipt(2), as: other)
            refused.expect(Self.tooManyBytes)
            #expect(refused.headers[.retryAfter] == "600" && refused.json["receipt"].text != nil)
            #expect(try await world.post(genuine, as: player).status == 202)
            try await world.endFaults()
            for _ in 0..<RetryPlan.maximumAmbiguous {
                world.clock.advance(by: 601)
                await world.assembly.worker.askAboutDueReceipts()
            }
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
            _ = try await world.act("faults", ["status": 21005])
            #expect(
                try await world.post(Self.forgedTransactionReceipt(2), as: other).status == 202, "there is room again")
        }
    }

    /// The budget of the address is used up, also after a restart; what the store knows needs no room in it.
    @Test func `Bytes of others that wait keep no genuine receipt out, also after a restart`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        let settings = ["QUARTERMASTER_LIMITS_PENDING_KILOBYTES_PER_ADDRESS": "99"]
        try await World.run(ledger: ledger, environment: settings) { world in
            try await world.fillPendingBytes(of: try await world.newPlayer())
        }
        try await World.run(ledger: ledger, environment: settings) { world in
            let player = try await world.newPlayer()
            try await world.post(Self.forgedTransactionReceipt(3), as: player).expect(Self.tooManyBytes)
            let genuine = try await world.buy("tenhints", "consumable").transactionReceipt
            #expect(try await world.post(genuine, as: player).json["balances"] == ["hints": 10])
        }
    }

    /// A receipt that the server verified itself is not refused: it is asked about at once. If the App Store is away it
    /// is delivered by its signature, except for credits, and asked about later.
    @Test(arguments: [false, true]) func `A verified receipt needs no room in the budget`(isAway: Bool) async throws {
        let settings = [
            "QUARTERMASTER_LIMITS_PENDING_KILOBYTES_PER_ACCOUNT": "100", "QUARTERMASTER_APP_RECEIPTS": "local",
        ]
        try await World.run(environment: settings, hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable")
            let refunded = try await world.buy("ioswords", "non-consumable")
            let hints = try await world.buy("tenhints", "consumable", ["customer": "another"])
            world.clock.advance(by: 86_401)
            for bought in [refunded, hints] { _ = try await world.act("transactions/\(bought.transactionID)/refund") }
            try await world.fillPendingBytes(of: player)
            if isAway { _ = try await world.act("faults", ["http": 503]) }
            let answer = try await world.post(refunded.appReceipt, as: player)
            #expect(answer.status == 200 && answer.json["transactions"].array.count == 2, "\(answer)")
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            let expected: JSONValue = isAway ? "granted" : "denied"
            #expect(try await world.entitlement(to: "ioswords", of: player)["access"] == expected)
            // Credits that a refund may have taken cannot be verified now.
            let credits = try await world.post(hints.appReceipt, as: player)
            #expect(credits.status == (isAway ? 202 : 200), "\(credits)")
            try await world.askAboutAllDue()
            #expect(try await world.entitlement(to: "ioswords", of: player)["reason"] == "revoked")
            #expect(try await (world.entitlements(of: player)["balances"]["hints"].number ?? 0) == 0)
            #expect(words.appReceipt != refunded.appReceipt)
            _ = try await world.ledger.checkAccounts(at: world.clock.now) { Issue.record("\($0)") }
        }
    }

    /// The same when too many receipts wait.
    @Test func `A verified receipt needs no place in the queue`() async throws {
        try await World.run(environment: ["QUARTERMASTER_APP_RECEIPTS": "local"], hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable")
            world.clock.advance(by: 86_401)
            _ = try await world.act("faults", ["http": 503])
            for number in 0..<PendingReceipt.maximumPending {
                let receipt = Self.forgedTransactionReceipt(number, size: 100)
                #expect(try await world.post(receipt, as: player).status == 202)
            }
            #expect(try await world.post(words.appReceipt, as: player).status == 200)
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            // Sent again, it is still asked about.
            #expect(try await world.post(words.appReceipt, as: player).status == 200)
            _ = try await world.act("transactions/\(words.transactionID)/refund")
            try await world.askAboutAllDue()
            #expect(try await world.entitlement(to: "hardwords", of: player)["reason"] == "revoked")
        }
    }

    @Test func `Budgets are counted by the addresses that a trusted proxy saw`() async throws {
        let settings = [
            "QUARTERMASTER_LIMITS_REJECTED_KILOBYTES_PER_ADDRESS": "5",
            "QUARTERMASTER_TRUSTED_PROXIES": "127.0.0.0/8,::1",
        ]
        try await World.run(environment: settings) { world in
            let forger = try SigningAuthority()
            func post(_ id: Int, from address: String) async throws -> Int {
                let text = try forger.jws(SigningAuthority.transaction(["transactionId": .string("\(id)")]))
                let name = try #require(HTTPField.Name("X-Forwarded-For"))
                return try await world.call(
                    .post, "/v1/receipts", ["receipt": .string(text)], as: try await world.newPlayer(),
                    headers: [name: address]
                ).status
            }
            var statuses: [Int] = []
            for id in 0..<3 { statuses.append(try await post(id, from: "2001:db8::\(id)")) }
            #expect(statuses.first == 422 && statuses.last == 429, "\(statuses)")
            #expect(try await post(4, from: "2001:db8:0:1::1") == 422, "another /64")
        }
    }

    private static func budgets(_ change: (inout ReceiptByteBudgets) -> Void) -> ReceiptByteBudgets {
        var budgets = ReceiptByteBudgets()
        change(&budgets)
        return budgets
    }

    @Test(arguments: [
        ("REJECTED_KILOBYTES_PER_ACCOUNT", "7", budgets { $0.rejected.account = 7_168 }),
        ("PENDING_KILOBYTES_PER_ADDRESS", "off", budgets { $0.pending.address = .max }),
        ("VERIFIED_KILOBYTES_PER_ADDRESS", "0", ReceiptByteBudgets()),
    ])
    func `The budgets are settings`(name: String, value: String, budgets: ReceiptByteBudgets) async throws {
        let variable = "QUARTERMASTER_LIMITS_" + name
        let settings = try Settings(await SettingSources(flags: [:], environment: [variable: value], file: nil))
        #expect(settings.receiptBytes == budgets)
        await #expect(throws: SettingError.self) {
            try Settings(await SettingSources(flags: [:], environment: [variable: "-1"], file: nil))
        }
    }
}

extension World {
    /// Asks about everything that is due, with an App Store that answers.
    fileprivate func askAboutAllDue() async throws {
        try await endFaults()
        clock.advance(by: 60)
        for _ in 0..<5 { await assembly.worker.askAboutDueReceipts() }
    }

    /// Leaves no room for a receipt that waits.
    fileprivate func fillPendingBytes(of player: Player) async throws {
        _ = try await act("faults", ["status": 21005])
        for (number, size) in [60_000, 41_000].enumerated() {
            let receipt = ReceiptBytesTests.forgedTransactionReceipt(number, size: size)
            #expect(try await post(receipt, as: player).status == 202)
        }
        try await endFaults()
    }
}

extension Data {
    fileprivate var sha256Text: String { Data(SHA256.hash(data: self)).map { String(format: "%02x", $0) }.joined() }
}
