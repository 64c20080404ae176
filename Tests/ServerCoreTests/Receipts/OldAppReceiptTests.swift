import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import Logging
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// App receipts that this server judges, made so long ago that the App Store knows more by now.
@Suite struct OldAppReceiptTests {
    /// The app's credentials for the App Store.
    enum Access: CaseIterable, Sendable {
        case serverKey, sharedSecret, neither

        var environment: [String: String] {
            var variables = ["QUARTERMASTER_APP_RECEIPTS": "local"]
            if self == .sharedSecret { variables["QUARTERMASTER_APPS_COM_EXAMPLE_HANGMAN_SHARED_SECRET"] = "secret" }
            return variables
        }

        static let either = [Access.serverKey, .sharedSecret]
    }

    private static let day: TimeInterval = 86_400

    private func run(_ access: Access, _ test: @escaping @Sendable (World) async throws -> Void) async throws {
        try await World.run(environment: access.environment, hasServerKey: access == .serverKey, test)
    }

    /// No notification reported the refunds.
    @Test(arguments: Access.allCases)
    func `An old app receipt does not deliver what was refunded since`(access: Access) async throws {
        try await run(access) { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable")
            let hints = try await world.buy("tenhints", "consumable")
            world.clock.advance(by: Self.day + 1)
            for bought in [words, hints] { _ = try await world.act("transactions/\(bought.transactionID)/refund") }
            let answer = try await world.post(hints.appReceipt, as: player)
            #expect(answer.status == 200, "\(answer)")
            let said = answer.json["transactions"].array.map { $0["reason"].text ?? $0["outcome"].text }
            let expected = access == .neither ? "delivered" : "revoked"
            #expect(said == [expected, expected], "\(answer)")
            #expect((answer.json["balances"]["hints"].number ?? 0) == (access == .neither ? 10 : 0))
        }
    }

    @Test(arguments: Access.either)
    func `A subscription that renewed since an old receipt goes on`(access: Access) async throws {
        try await run(access) { world in
            let (player, newcomer) = (try await world.newPlayer(), try await world.newPlayer())
            let club = try await world.buy("club.monthly", "auto-renewable")
            let other = try await world.buy("club.monthly", "auto-renewable", ["customer": "other"])
            #expect(try await world.post(club.appReceipt, as: player).status == 200)
            world.clock.advance(by: 32 * Self.day)
            for bought in [club, other] { _ = try await world.act("subscriptions/\(bought.originalID)/renew") }
            for (who, bought) in [(player, club), (newcomer, other)] {
                let answer = try await world.post(bought.appReceipt, as: who)
                #expect(answer.status == 200 && answer.json["transactions"][0]["finish"] == true, "\(answer)")
                #expect(try await world.entitlement(to: "club.monthly", of: who)["access"] == "granted", "\(answer)")
            }
        }
    }

    /// A receipt made after the end proves that nothing followed.
    @Test(arguments: Access.either) func `A subscription that ended is over`(access: Access) async throws {
        try await run(access) { world in
            let player = try await world.newPlayer()
            let club = try await world.buy("club.monthly", "auto-renewable")
            world.clock.advance(by: 40 * Self.day)
            let answer = try await world.post(club.appReceipt, as: player)
            #expect(answer.json["transactions"][0]["reason"] == "expired", "\(answer)")
            #expect(answer.json["transactions"][0]["finish"] == true)
            _ = try await world.act("faults", ["http": 503])
            world.clock.advance(by: 2 * Self.day)
            #expect(try await world.post(club.appReceipt, as: player).status == 200, "there was an answer")
        }
    }

    @Test(arguments: Access.either)
    func `During an outage an old receipt gives access and its credits wait`(access: Access) async throws {
        try await run(access) { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable")
            _ = try await world.buy("nighttheme.month", "non-renewing")
            _ = try await world.buy("club.monthly", "auto-renewable", ["period": "P1D"])
            let last = try await world.buy("tenhints", "consumable")
            // Longer than access goes on for a late renewal.
            world.clock.advance(by: Self.day + 3_600)
            _ = try await world.act("faults", ["http": 503])
            for _ in 1...2 {
                let answer = try await world.post(last.appReceipt, as: player)
                #expect(answer.status == 202 && answer.json["status"] == "pending", "\(answer)")
            }
            let meanwhile = try await world.entitlements(of: player)
            #expect(meanwhile["balances"] == [:], "\(meanwhile)")
            #expect(try await world.granted(to: player) == ["hardwords", "nighttheme.month"])
            _ = try await world.act("transactions/\(words.transactionID)/refund")
            try await world.endFaults()
            world.clock.advance(by: 60)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.granted(to: player) == ["nighttheme.month"])
            #expect(try await world.entitlement(to: "hardwords", of: player)["reason"] == "revoked")
            #expect(try await world.entitlement(to: "club.monthly", of: player)["reason"] == "expired")
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
            #expect(try await world.ledger.pendingReceipts().count == 0)
            _ = try await world.ledger.checkAccounts(at: world.clock.now) { Issue.record("\($0)") }
        }
    }

    /// The receipt is answered at once and still checked later, also if it is presented again meanwhile.
    @Test(arguments: Access.either, [false, true])
    func `What an old receipt gave during an outage is checked later`(access: Access, isShownAgain: Bool) async throws {
        try await run(access) { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable")
            world.clock.advance(by: Self.day + 1)
            _ = try await world.act("transactions/\(words.transactionID)/refund")
            _ = try await world.act("faults", ["http": 503])
            let answer = try await world.post(words.appReceipt, as: player)
            #expect(answer.status == 200 && answer.json["transactions"][0]["outcome"] == "delivered", "\(answer)")
            if isShownAgain { #expect(try await world.post(words.appReceipt, as: player).status == 200) }
            for _ in 1...3 {
                world.clock.advance(by: 60)
                await world.assembly.worker.askAboutDueReceipts()
                #expect(try await world.granted(to: player) == ["hardwords"])
            }
            try await world.endFaults()
            world.clock.advance(by: 60)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.entitlement(to: "hardwords", of: player)["reason"] == "revoked")
            let receipt = try #require(answer.json["receipt"].text)
            #expect(try await world.call(.get, "/v1/receipts/\(receipt)", as: player).json["status"] == "verified")
            let rows = try await world.ledger.auditRows(after: 0, limit: 100).filter { $0.subject == receipt }
            #expect(rows.count <= 5 + (isShownAgain ? 1 : 0), "the trail tells that the store was away, not how often")
        }
    }

    /// While the store is away, everything that would be asked about waits; so if nothing waits nothing is asked.
    @Test(arguments: Access.either)
    func `The store is asked once a day about each original transaction`(access: Access) async throws {
        try await run(access) { world in
            let players = [try await world.newPlayer(), try await world.newPlayer(), try await world.newPlayer()]
            let hints = try await world.buy("tenhints", "consumable")
            world.clock.advance(by: Self.day + 1)
            #expect(try await world.post(hints.appReceipt, as: players[0]).status == 200)
            _ = try await world.act("faults", ["http": 503])
            world.clock.advance(by: Self.day - 1)
            let answer = try await world.post(hints.appReceipt, as: players[1])
            #expect(answer.status == 409 && answer.json["code"] == "owned_by_another_account", "\(answer)")
            world.clock.advance(by: 2)
            #expect(try await world.post(hints.appReceipt, as: players[2]).status == 202)
            // Nothing is asked about a purchase that its owner presents again.
            #expect(try await world.post(hints.appReceipt, as: players[0]).status == 200)
        }
    }

    @Test(arguments: Access.either) func `A young app receipt is not asked about`(access: Access) async throws {
        try await run(access) { world in
            let player = try await world.newPlayer()
            let hints = try await world.buy("tenhints", "consumable")
            _ = try await world.act("faults", ["http": 503])
            world.clock.advance(by: Self.day - 1)
            let answer = try await world.post(hints.appReceipt, as: player)
            #expect(answer.status == 200 && answer.json["balances"]["hints"] == 10, "\(answer)")
        }
    }

    /// A purchase that only a notification reported has no owner yet.
    @Test func `A purchase without an owner is asked about`() async throws {
        try await run(.serverKey) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            let hints = try await world.buy("tenhints", "consumable")
            for payload in try await world.signedPayloads() { _ = try await world.receive(payload) }
            world.clock.advance(by: Self.day + 1)
            _ = try await world.act("faults", ["http": 503])
            #expect(try await world.post(hints.appReceipt, as: player).status == 202)
        }
    }

    /// Without a key and a secret nobody can be asked; the log says so once, at the start.
    @Test(arguments: Access.allCases)
    func `The log warns at the start if old receipts cannot be asked about`(access: Access) async throws {
        let log = LogRecorder()
        try await World.run(
            environment: access.environment, hasServerKey: access == .serverKey, logger: log.logger(.warning)
        ) { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable")
            world.clock.advance(by: Self.day + 1)
            #expect(try await world.post(words.appReceipt, as: player).status == 200)
            let warnings = log.lines.filter { $0.contains("refunds before the first notification are not seen") }
            #expect(warnings.count == (access == .neither ? 1 : 0))
        }
    }

    /// Each log line says what became of a receipt; what is asked about again has none.
    @Test func `The log says what became of an old receipt`() async throws {
        let log = LogRecorder()
        try await World.run(environment: Access.serverKey.environment, hasServerKey: true, logger: log.logger(.info)) {
            world in
            let (player, other) = (try await world.newPlayer(), try await world.newPlayer())
            let words = try await world.buy("hardwords", "non-consumable")
            world.clock.advance(by: Self.day + 1)
            let night = try await world.buy("ioswords", "non-consumable", ["customer": "another"])
            var lines: [String] { log.lines.filter { $0.hasPrefix("pending receipt") } }
            func round() async {
                world.clock.advance(by: 61)
                await world.assembly.worker.askAboutDueReceipts()
            }
            _ = try await world.act("faults", ["http": 503])
            let delivered = try await world.post(words.appReceipt, as: player)
            let waiting = try await world.post(night.transactionReceipt, as: other)
            #expect(delivered.status == 200 && waiting.status == 202, "\(delivered) \(waiting)")
            for _ in 1...2 { await round() }
            #expect(lines == [], "both are asked about again")
            _ = try await world.act("faults", ["status": 21003])
            try await world.fault(["delaySeconds": 0], at: "/inApps")
            for _ in 1...2 { await round() }
            let names = try [delivered, waiting].map { try #require($0.json["receipt"].text) }
            #expect(
                lines.sorted() == [
                    "pending receipt rejected reason=signature receipt=\(names[1])",
                    "pending receipt verified receipt=\(names[0])",
                ])
        }
    }

    /// A receipt of an app about which the App Store knows nothing is good by its signature.
    @Test func `A receipt that the store does not know is good by its signature`() async throws {
        try await run(.serverKey) { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable")
            world.clock.advance(by: Self.day + 1)
            _ = try await world.act("faults", ["errorCode": 4_040_010])
            let answer = try await world.post(words.appReceipt, as: player)
            #expect(answer.status == 200 && answer.json["transactions"][0]["outcome"] == "delivered", "\(answer)")
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.granted(to: player) == ["hardwords"])
        }
    }

    /// A question that the App Store calls wrong has no answer: it is asked again, and the log says so.
    @Test(arguments: [4_000_000, 4_000_999, 4_030_999])
    func `A question that the store refused is asked again`(code: Int) async throws {
        let log = LogRecorder()
        try await World.run(environment: Access.serverKey.environment, hasServerKey: true, logger: log.logger(.error)) {
            world in
            let players = [try await world.newPlayer(), try await world.newPlayer()]
            let words = try await world.buy("hardwords", "non-consumable")
            let hints = try await world.buy("tenhints", "consumable", ["customer": "other"])
            world.clock.advance(by: Self.day + 1)
            for bought in [words, hints] { _ = try await world.act("transactions/\(bought.transactionID)/refund") }
            _ = try await world.act("faults", ["errorCode": .integer(code)])
            #expect(try await world.post(words.appReceipt, as: players[0]).status == 200, "it needs no answer")
            let answer = try await world.post(hints.appReceipt, as: players[1])
            #expect(answer.status == 202 && answer.json["status"] == "pending", "\(answer)")
            let lines = log.lines.filter { $0.hasPrefix("the App Store calls a request of this server wrong") }
            #expect(lines.count == 2 && lines.allSatisfy { $0.contains("\(code)") }, "\(log.lines)")
            try await world.endFaults()
            world.clock.advance(by: 3_601)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.entitlement(to: "hardwords", of: players[0])["reason"] == "revoked")
            #expect(try await (world.entitlements(of: players[1])["balances"]["hints"].number ?? 0) == 0)
            #expect(try await world.ledger.pendingReceipts().count == 0)
        }
    }

    /// The signature is as good as it was: what the App Store never answers about is delivered in the end.
    @Test func `A receipt that the store never answers about is delivered in the end`() async throws {
        let log = LogRecorder()
        try await World.run(environment: Access.serverKey.environment, hasServerKey: true, logger: log.logger(.error)) {
            world in
            let player = try await world.newPlayer()
            let hints = try await world.buy("tenhints", "consumable")
            world.clock.advance(by: Self.day + 1)
            _ = try await world.act("faults", ["errorCode": 4_000_000])
            #expect(try await world.post(hints.appReceipt, as: player).status == 202)
            for wait in RetryPlan.badRequestWaits {
                #expect(try await world.entitlements(of: player)["balances"] == [:])
                world.clock.advance(by: wait + 1)
                await world.assembly.worker.askAboutDueReceipts()
            }
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
            #expect(log.lines.count { $0.hasPrefix("the store gives no answer about an app receipt") } == 1)
        }
    }

    /// The history that the App Store sent is known, whatever becomes of the next question.
    @Test(arguments: [["http": 503], ["errorCode": 4_000_000]] as [JSONValue])
    func `The history counts if the statuses of subscriptions are missing`(fault: JSONValue) async throws {
        try await run(.serverKey) { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable")
            let club = try await world.buy("club.monthly", "auto-renewable")
            world.clock.advance(by: Self.day + 1)
            _ = try await world.act("transactions/\(words.transactionID)/refund")
            try await world.fault(fault, at: "/inApps/v1/subscriptions")
            #expect(try await world.post(club.appReceipt, as: player).status == 200)
            #expect(try await world.entitlement(to: "hardwords", of: player)["reason"] == "revoked")
            #expect(try await world.entitlement(to: "club.monthly", of: player)["access"] == "granted")
            _ = try await world.act("transactions/\(club.transactionID)/refund")
            try await world.endFaults()
            world.clock.advance(by: 3_601)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.entitlement(to: "club.monthly", of: player)["reason"] == "revoked", "asked again")
        }
    }

    @Test func `A history without subscriptions is an answer`() async throws {
        try await run(.serverKey) { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable")
            let club = try await world.buy("club.monthly", "auto-renewable")
            world.clock.advance(by: Self.day + 1)
            _ = try await world.act("transactions/\(words.transactionID)/refund")
            try await world.fault(["errorCode": 4_040_005], at: "/inApps/v1/subscriptions")
            #expect(try await world.post(club.appReceipt, as: player).status == 200)
            #expect(try await world.entitlement(to: "hardwords", of: player)["reason"] == "revoked")
            let due = try await world.ledger.dueReceipts(
                in: .receipts, limit: 1, lease: world.clock.now, at: world.clock.now + Self.day)
            #expect(due.isEmpty, "it has its answer")
        }
    }

    /// The store's answer brings facts: what it says about other purchases gives them to nobody.
    @Test(arguments: Access.either)
    func `The store's answer gives nothing that the receipt does not have`(access: Access) async throws {
        try await run(access) { world in
            let player = try await world.newPlayer()
            let words = try await world.buy("hardwords", "non-consumable")
            world.clock.advance(by: Self.day + 1)
            _ = try await world.buy("ioswords", "non-consumable")
            let answer = try await world.post(words.appReceipt, as: player)
            #expect(answer.status == 200 && answer.json["transactions"].array.count == 1, "\(answer)")
            #expect(try await world.granted(to: player) == ["hardwords"])
        }
    }
}

extension World {
    /// Makes the simulated App Store fail at one endpoint.
    fileprivate func fault(_ fault: JSONValue, at path: String) async throws {
        guard case .object(var members) = fault else { return }
        members["path"] = .string(path)
        _ = try await act("faults", .object(members))
    }

    /// The products that the player has access to, by their names within the app.
    fileprivate func granted(to player: Player) async throws -> [String] {
        try await entitlements(of: player)["entitlements"].array.filter { $0["access"] == "granted" }
            .compactMap { $0["product"].text?.replacing("\(World.app).", with: "") }.sorted()
    }
}
