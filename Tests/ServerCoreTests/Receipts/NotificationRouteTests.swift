@testable import QuartermasterServer
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import ServerCore

/// `POST /v1/notifications/app-store`
@Suite struct NotificationRouteTests {
    @Test func `A notification delivers to the account that its token names`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            let bought = try await world.buy(
                "hardwords", "non-consumable", ["appAccountToken": .string(player.account)])
            let reported = try #require(try await world.signedPayloads().first)
            #expect(try await world.receive(reported).status == 200)
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            let trail = try await world.ledger.auditRows(after: 0, limit: 1_000).count
            #expect(try await world.receive(reported).status == 200, "the store tells again until it is heard")
            #expect(try await world.ledger.auditRows(after: 0, limit: 1_000).count == trail)
            for outcome: JSONValue in ["delivered", "alreadyDelivered"] {
                let answer = try await world.post(bought.signedTransaction, as: player)
                #expect(answer.json["transactions"][0]["outcome"] == outcome)
            }
        }
    }

    @Test func `A refund ends access and its reversal gives it back`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            for (act, access) in [("refund", "denied"), ("refund-reversed", "granted")] as [(String, JSONValue)] {
                world.clock.advance(by: 60)
                _ = try await world.act("transactions/\(bought.transactionID)/\(act)")
                let reported = try #require(try await world.signedPayloads().last)
                #expect(try await world.receive(reported).status == 200)
                #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == access, "\(act)")
            }
        }
    }

    /// Nobody knows yet whose it is; whoever presents it gets it as it is then.
    @Test func `A notified purchase without an owner waits for one`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable")
            world.clock.advance(by: 60)
            _ = try await world.act("subscriptions/\(bought.originalID)/expire")
            for reported in try await world.signedPayloads() {
                #expect(try await world.receive(reported).status == 200)
            }
            #expect(try await world.entitlements(of: player)["entitlements"] == [])
            let answer = try await world.post(bought.signedTransaction, as: player).json
            #expect(answer["transactions"][0]["reason"] == "expired", "\(answer)")
        }
    }

    @Test func `A notification that the store did not sign is refused`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            for product in ["hardwords", "ioswords"] { _ = try await world.buy(product, "non-consumable") }
            let parts = try await world.signedPayloads().map { $0.split(separator: ".").map(String.init) }
            let forged = [parts[0][0], parts[0][1], parts[1][2]].joined(separator: ".")
            let rows = try await world.ledger.auditRows(after: 0, limit: 1_000).count
            let bodies: [(body: JSONValue, reason: String)] = [
                (["signedPayload": .string(forged)], "signature"), (["signedPayload": "a.b.c"], "malformed"),
                (["signedPayload": ""], "malformed"), ([:], "malformed"), (["signedPayload": 1], "malformed"),
                (["notification_type": "CANCEL", "bid": .string(World.app), "password": "guess"], "signature"),
            ]
            for (body, reason) in bodies {
                try await world.call(.post, World.notificationPath, body)
                    .expect(ExpectedProblem(422, "notification_rejected", reason: reason), "\(body)")
            }
            #expect(try await world.ledger.auditRows(after: 0, limit: 1_000).count == rows)
        }
    }

    /// The other app may be served tomorrow.
    @Test func `Notifications for apps that are not served are accepted`() async throws {
        let products = Project.products.replacing("com.example.hangman", with: "com.example.other")
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            _ = try await world.buy("hardwords", "non-consumable", ["appAccountToken": .string(player.account)])
            let reported = try #require(try await world.signedPayloads().first)
            try await World.run(products: products, roots: [try await world.storeRoot()]) { other in
                let answer = try await other.receive(reported)
                #expect(answer.status == 200)
            }
        }
    }

    @Test func `The simulated store sends notifications by itself`() async throws {
        try await World.run { world in
            try await world.setNotificationURL(world.notificationURL)
            let player = try await world.newPlayer()
            _ = try await world.buy("hardwords", "non-consumable", ["appAccountToken": .string(player.account)])
            try await poll("the notification came") {
                try await world.entitlement(to: "hardwords", of: player)["access"] == "granted"
            }
        }
    }

    /// Version 1 proves nothing; the store is asked about the receipt in it.
    @Test func `A notification of version 1 is proven by asking the store`() async throws {
        let secret = ["QUARTERMASTER_APPS_COM_EXAMPLE_HANGMAN_SHARED_SECRET": "of hangman"]
        try await World.run(environment: secret) { world in
            try await world.setNotificationURL(world.notificationURL, version: 1, password: "of hangman")
            let player = try await world.newPlayer()
            _ = try await world.buy("club.monthly", "auto-renewable", ["appAccountToken": .string(player.account)])
            let ledger = world.ledger
            try await poll("the notification is kept") {
                try await !ledger.auditRows(after: 0, limit: 100).filter { $0.kind == "notification.recorded" }.isEmpty
            }
            _ = try await world.act("faults", ["status": 21005, "count": 1])
            for access: JSONValue in [.null, "granted"] {
                await world.assembly.notifications.askAboutDueNotifications()
                #expect(try await world.entitlement(to: "club.monthly", of: player)["access"] == access)
                world.clock.advance(by: 60)
            }
        }
    }
}

extension World {
    /// The root of everything that the store signs, in DER.
    func storeRoot() async throws -> Data {
        try await store.execute(uri: "/simulator/v1/root.cer", method: .get) { Data($0.body.readableBytesView) }
    }
}
