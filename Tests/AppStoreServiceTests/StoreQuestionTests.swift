@testable import AppStoreService
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

/// The questions to the store through the App Store Server API.
@Suite struct StoreQuestionTests {
    @Test func `A bare transaction ID delivers only to the account that its token names`() async throws {
        try await World.run(hasServerKey: true) { world in
            let (player, other) = (try await world.newPlayer(), try await world.newPlayer())
            let named = try await world.buy("hardwords", "non-consumable", ["appAccountToken": .string(player.account)])
            let unnamed = try await world.buy("ioswords", "non-consumable")
            let conflict = ExpectedProblem(409, "owned_by_another_account", reason: "ownedByAnotherAccount")
            try await world.post(named.transactionID, as: other).expect(conflict)
            try await world.post(unnamed.transactionID, as: player).expect(conflict)
            let answer = try await world.post(named.transactionID, as: player)
            #expect(answer.json["transactions"][0]["outcome"] == "delivered", "\(answer)")
            #expect(try await world.entitlements(of: other)["entitlements"] == [])
        }
    }

    @Test func `Without a key a bare transaction ID is refused`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            try await world.post(bought.transactionID, as: player).expect(.rejected("unsupported"))
        }
    }

    /// A refund since its signing is not in a transaction, so an old one is asked about again.
    @Test(arguments: [false, true])
    func `An old transaction does not deliver what was refunded since`(isAway: Bool) async throws {
        try await World.run(hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            world.clock.advance(by: 86_401)
            _ = try await world.act("transactions/\(bought.transactionID)/refund")
            if isAway { _ = try await world.act("faults", ["http": 503]) }
            var answer = try await world.post(bought.signedTransaction, as: player)
            #expect(answer.status == (isAway ? 202 : 200), "\(answer)")
            if isAway {
                #expect(try await world.entitlements(of: player)["entitlements"] == [])
                try await world.endFaults()
                world.clock.advance(by: 60)
                await world.assembly.worker.askAboutDueReceipts()
                answer = try await world.post(bought.signedTransaction, as: player)
            }
            #expect(answer.json["transactions"][0]["reason"] == "revoked", "\(answer)")
        }
    }

    /// Only "not found" means that the App Store does not know a transaction.
    @Test func `A refused question about a transaction is asked again`() async throws {
        try await World.run(hasServerKey: true) { world in
            let (player, other) = (try await world.newPlayer(), try await world.newPlayer())
            let old = try await world.buy("hardwords", "non-consumable")
            let lasting = try await world.buy("ioswords", "non-consumable", ["customer": "another"])
            world.clock.advance(by: 86_401)
            let named = try await world.buy("tenhints", "consumable", ["appAccountToken": .string(player.account)])
            _ = try await world.act("transactions/\(old.transactionID)/refund")
            _ = try await world.act("faults", ["errorCode": 4_000_000])
            for receipt in [old.signedTransaction, named.transactionID] {
                let answer = try await world.post(receipt, as: player)
                #expect(answer.status == 202, "\(answer)")
            }
            try await world.endFaults()
            world.clock.advance(by: 3_601)
            await world.assembly.worker.askAboutDueReceipts()
            #expect(try await world.entitlement(to: "hardwords", of: player)["reason"] == "revoked")
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
            _ = try await world.act("faults", ["errorCode": 4_000_000])
            let location = try #require(try await world.post(lasting.signedTransaction, as: other).headers[.location])
            for wait in RetryPlan.badRequestWaits {
                #expect(try await world.call(.get, location, as: other).json["status"] == "pending")
                world.clock.advance(by: wait + 1)
                await world.assembly.worker.askAboutDueReceipts()
            }
            let answer = try await world.call(.get, location, as: other).json
            #expect(answer["transactions"][0]["outcome"] == "delivered", "its signature is good: \(answer)")
        }
    }

    @Test func `A fresh transaction is not asked about`() async throws {
        try await World.run(hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", ["http": 503])
            world.clock.advance(by: 86_399)
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            world.clock.advance(by: 2)
            // It is known, so the refund would have been reported.
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
        }
    }

    /// The store signed it before the refund, which a server that knew nothing of the purchase was not told. Young
    /// purchases are not asked about, and an outage of the store loses none.
    @Test(
        arguments: [
            (days: 8, hasKey: true, isAway: false, isDelivered: false),
            (days: 6, hasKey: true, isAway: false, isDelivered: true),
            (days: 8, hasKey: false, isAway: false, isDelivered: true),
            (days: 8, hasKey: true, isAway: true, isDelivered: true),
        ] as [(days: Double, hasKey: Bool, isAway: Bool, isDelivered: Bool)])
    func `An old purchase is not given to a new account after its refund`(
        row: (days: Double, hasKey: Bool, isAway: Bool, isDelivered: Bool)
    ) async throws {
        try await World.run(hasServerKey: row.hasKey) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            world.clock.advance(by: row.days * 86_400)
            let signed = try await world.signAgain(bought.transactionID)
            world.clock.advance(by: 60)
            _ = try await world.act("transactions/\(bought.transactionID)/refund")
            if row.isAway { _ = try await world.act("faults", ["http": 503]) }
            let answer = try await world.post(signed, as: player)
            #expect(answer.status == 200)
            let outcome = answer.json["transactions"][0]
            #expect(outcome["outcome"].text == (row.isDelivered ? "delivered" : "denied"), "\(answer)")
            #expect(outcome["reason"].text == (row.isDelivered ? nil : "revoked"), "\(answer)")
            guard row.isAway else { return }
            try await world.endFaults()
            let again = try await world.post(signed, as: player)
            #expect(again.json["transactions"][0]["outcome"] != "denied", "it is known now: \(again)")
        }
    }

    /// A refund names one transaction of a purchase, and the one that is presented is another.
    @Test func `The refund of a copy is found too`() async throws {
        try await World.run(hasServerKey: true) { world in
            let (player, other) = (try await world.newPlayer(), try await world.newPlayer())
            let bought = try await world.buy("hardwords", "non-consumable")
            let lasting = try await world.buy("ioswords", "non-consumable")
            world.clock.advance(by: 8 * 86_400)
            let copy = try await world.act("transactions/\(bought.transactionID)/restore")
            let signed = try #require(copy["signedTransaction"].text)
            world.clock.advance(by: 60)
            _ = try await world.act("transactions/\(bought.transactionID)/refund")
            let answer = try await world.post(signed, as: player)
            #expect(answer.json["transactions"].array.count == 1, "\(answer)")
            #expect(answer.json["transactions"][0]["reason"] == "revoked", "\(answer)")
            let kept = try await world.post(try await world.signAgain(lasting.transactionID), as: other)
            #expect(kept.json["transactions"][0]["outcome"] == "delivered", "another purchase of the customer: \(kept)")
        }
    }

    @Test func `Receipts that wait for an outage are settled when it ends`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            _ = try await world.act("faults", ["http": 503])
            var receipts: [String] = []
            for _ in 0..<7 {
                let bought = try await world.buy("tenhints", "consumable")
                let answer = try await world.post(bought.transactionReceipt, as: player)
                #expect(answer.status == 202)
                receipts.append(try #require(answer.json["receipt"].text))
                world.clock.advance(by: 1)
            }
            try await world.endFaults()
            world.clock.advance(by: 31)
            await world.assembly.worker.askAboutDueReceipts()
            await world.assembly.worker.askAboutDueReceipts()
            for receipt in receipts {
                #expect(try await world.call(.get, "/v1/receipts/\(receipt)", as: player).json["status"] == "verified")
            }
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 70])
        }
    }

    @Test func `A consumption request is answered with consent only`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            for consents in [false, true] {
                let player = try await world.newPlayer()
                let bought = try await world.buy("tenhints", "consumable")
                #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
                #expect(
                    try await world.call(
                        .post, "/v1/balances/hints/spend", ["amount": 4], as: player, headers: .key("k")
                    ).status == 200)
                #expect(
                    try await world.call(
                        .put, "/v1/accounts/current/consumption-consent", ["consents": .bool(consents)], as: player
                    ).status == 204)
                _ = try await world.act("transactions/\(bought.transactionID)/consumption-request")
                #expect(try await world.receive(try #require(try await world.signedPayloads().last)).status == 200)
                await world.assembly.store.consumption.answerDueRequests()
                let reported = try await world.consumption(of: bought)
                #expect(reported.contains("\"consumptionPercentage\":40000") == consents, "\(reported)")
            }
            let outcomes = try await world.ledger.auditRows(after: 0, limit: 1_000)
                .filter { $0.kind == "consumption.finished" }.compactMap(\.content)
            #expect(outcomes.map { $0.contains("answered") } == [false, true])
        }
    }

    /// The server was away when the customer bought, and when they asked for a refund.
    @Test func `A consumption answer tells of an outage and of samples`() async throws {
        let products = SampleCatalog.text(SampleCatalog.hints).replacing(
            "\"products\"", with: "\"openBundles\": [\"night-theme\"], \"products\"")
        try await World.run(products: products, hasServerKey: true) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            _ = try await world.call(
                .put, "/v1/accounts/current/consumption-consent", ["consents": true], as: player)
            _ = try await world.buy("tenhints", "consumable", ["customer": "another"])
            #expect(try await world.receive(try #require(try await world.signedPayloads().last)).status == 200)
            world.clock.advance(by: 3_600)
            let bought = try await world.buy("tenhints", "consumable", ["appAccountToken": .string(player.account)])
            world.clock.advance(by: 60)
            _ = try await world.act("transactions/\(bought.transactionID)/consumption-request")
            world.clock.advance(by: 60)
            #expect(try await world.assembly.store.reconciler.reconcile().failures == 0)
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
            await world.assembly.store.consumption.answerDueRequests()
            let reported = try await world.consumption(of: bought)
            for member in [
                "\"consumptionPercentage\":0", "\"deliveryStatus\":\"UNDELIVERED_SERVER_OUTAGE\"",
                "\"sampleContentProvided\":true",
            ] {
                #expect(reported.contains(member), "\(reported)")
            }
        }
    }
}

extension World {
    /// The information that the server sent about the purchase, as text.
    fileprivate func consumption(of bought: Bought) async throws -> String {
        try await store.execute(
            uri: "/simulator/v1/transactions/\(bought.transactionID)/consumption", method: .get
        ) { String(buffer: $0.body) }
    }
}

/// Notifications that were sent while nobody listened.
@Suite struct ReconcilerTests {
    @Test func `Missed notifications are fetched once`() async throws {
        try await World.run(hasServerKey: true) { world in
            try await world.setNotificationURL()
            let player = try await world.newPlayer()
            _ = try await world.buy("hardwords", "non-consumable", ["appAccountToken": .string(player.account)])
            let refunded = try await world.buy("ioswords", "non-consumable")
            #expect(try await world.post(refunded.signedTransaction, as: player).status == 200)
            world.clock.advance(by: 60)
            _ = try await world.act("transactions/\(refunded.transactionID)/refund")
            let reconciler = world.assembly.store.reconciler
            _ = try await world.act("faults", ["http": 503])
            #expect(try await reconciler.reconcile().failures > 0)
            try await world.endFaults()
            world.clock.advance(by: 31)
            let found = try await reconciler.reconcile()
            #expect(found.notifications == 3 && found.transactions == 2 && found.failures == 0, "\(found)")
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            #expect(try await world.entitlement(to: "ioswords", of: player)["reason"] == "revoked")
            #expect(try await reconciler.reconcile().notifications == 0)
        }
    }

    /// The store sent no notification at all: a subscription that should have renewed is asked about.
    @Test func `Subscriptions without news are asked about`() async throws {
        try await World.run(hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let (renewed, ended) = (
                try await world.buy("club.monthly", "auto-renewable"),
                try await world.buy("club.monthly", "auto-renewable", ["customer": "somebody else"])
            )
            let other = try await world.newPlayer()
            #expect(try await world.post(renewed.signedTransaction, as: player).status == 200)
            #expect(try await world.post(ended.signedTransaction, as: other).status == 200)
            let reconciler = world.assembly.store.reconciler
            #expect(try await reconciler.reconcile().subscriptionsAsked == 0)
            world.clock.advance(by: 32 * 86_400)
            _ = try await world.act("subscriptions/\(renewed.originalID)/renew")
            _ = try await world.act("subscriptions/\(ended.originalID)/expire")
            #expect(try await world.entitlement(to: "club.monthly", of: player)["access"] == "denied")
            let found = try await reconciler.reconcile()
            #expect(found.subscriptionsAsked == 2 && found.failures == 0 && found.transactions >= 1, "\(found)")
            #expect(try await world.entitlement(to: "club.monthly", of: player)["access"] == "granted")
            #expect(try await world.entitlement(to: "club.monthly", of: other)["access"] == "denied")
            #expect(try await reconciler.reconcile().subscriptionsAsked == 0, "there is an answer now")
        }
    }
}
