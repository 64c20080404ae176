import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// A machine whose clock is behind the store's refuses nobody: what is signed later than it says waits.
@Suite struct SlowClockTests {
    static let local = ["QUARTERMASTER_APP_RECEIPTS": "local"]

    private static func run(
        behind seconds: Double, hasServerKey: Bool = false, _ test: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        try await World.run(environment: local, hasServerKey: hasServerKey) { world in
            _ = try await world.act("clock", ["offsetSeconds": .number(seconds)])
            try await test(world)
        }
    }

    static let receipts: [(String, @Sendable (Bought) -> String)] = [
        ("a signed transaction", { $0.signedTransaction }), ("an app receipt", { $0.appReceipt }),
    ]

    @Test(arguments: 0..<2)
    func `A genuine receipt from the future waits for the clock, and is then delivered`(kind: Int) async throws {
        let (name, receipt) = Self.receipts[kind]
        try await Self.run(behind: 600) { world in
            let player = try await world.newPlayer()
            let sent = receipt(try await world.buy("tenhints", "consumable"))
            let answer = try await world.post(sent, as: player)
            #expect(answer.status == 202 && answer.json["status"] == "pending", "\(name): \(answer)")
            #expect(answer.json["reason"] == "clock" && answer.json["finish"] == false)
            let id = try #require(answer.json["receipt"].text)
            let looked = try await world.call(.get, "/v1/receipts/\(id)", as: player).json
            #expect(looked["status"] == "pending" && looked["reason"] == "clock" && looked["finish"] == false)
            let restored = try await world.call(.post, "/v1/restore", ["receipts": [.string(sent)]], as: player)
            #expect(restored.json["receipts"][0]["reason"] == "clock")
            #expect(restored.json["receipts"][0]["finish"] == false)
            #expect(try await world.post(sent, as: player).json["receipt"].text == id)

            // Asked again too early: nothing changes. Somebody corrects the clock; the store's goes with it.
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.entitlements(of: player)["balances"] == [:])
            world.clock.advance(by: 600)
            await world.assembly.worker.askAboutDueReceipts()
            let later = try await world.call(.get, "/v1/receipts/\(id)", as: player).json
            #expect(later["status"] == "verified" && later["finish"] == true && later["reason"] == .null, "\(later)")
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
        }
    }

    @Test func `Five minutes are tolerated`() async throws {
        try await Self.run(behind: 300) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
        }
    }

    @Test func `What waited for the clock is delivered without the store`() async throws {
        try await Self.run(behind: 600, hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).json["reason"] == "clock")
            _ = try await world.act("faults", ["http": 503])
            world.clock.advance(by: 600)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
        }
    }

    @Test func `A notification from the future is asked for again`() async throws {
        try await Self.run(behind: 600, hasServerKey: true) { world in
            try await world.setNotificationURL()
            _ = try await world.buy("club.monthly", "auto-renewable")
            world.clock.advance(by: 600)
            let payloads = try await world.signedPayloads()
            world.clock.advance(by: -600)
            let payload = try #require(payloads.last)
            let answer = try await world.receive(payload)
            #expect(answer.status == 503 && answer.headers[.retryAfter] == "300", "\(answer)")
            world.clock.advance(by: 600)
            #expect(try await world.receive(payload).status == 200)
        }
    }

    @Test(arguments: [true, false])
    func `A clock that is behind is an alarm, which ends when the clock is set`(bySignature: Bool) async throws {
        try await World.run(environment: bySignature ? Self.local : [:]) { world in
            let player = try await world.newPlayer()
            let early = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(early.appReceipt, as: player).status == 200)
            #expect(try await world.alarm(.clockBehind)["level"] == "good")
            _ = try await world.act("clock", ["offsetSeconds": 600])
            // Without a signature from the future the head of the store's answer tells.
            let late = try await world.buy("hardwords", "non-consumable", ["customer": "late"])
            _ = try await world.post(bySignature ? late.signedTransaction : early.transactionReceipt, as: player)
            let alarm = try await world.alarm(.clockBehind)
            #expect(alarm["level"] == "bad" && alarm["count"] == 10, "\(alarm)")
            #expect(alarm["detail"].text == "It is 10 minutes behind the App Store's.")
            world.clock.advance(by: 600)
            #expect(try await world.alarm(.clockBehind)["level"] == "good")
        }
    }
}
