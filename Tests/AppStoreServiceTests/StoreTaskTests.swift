@testable import AppStoreService
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerSQL
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// The server's requests to the simulated App Store after a delivery or a transfer, as the store shows them afterwards.
@Suite struct StoreTaskTests {
    private static let finishing = Project.products.replacing(
        #""bundleID": "com.example.hangman","#, with: #""bundleID": "com.example.hangman", "finishFromServer": true,"#)

    /// The app crashes after the purchase was delivered, and never finishes it.
    @Test(arguments: [true, false])
    func `A delivered purchase is finished if the catalog asks for it`(isAsked: Bool) async throws {
        #expect(Self.finishing != Project.products)
        let products = isAsked ? Self.finishing : Project.products
        try await World.run(products: products, hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable", ["customer": "one"])
            await world.assembly.store.actAfterDelivery()
            #expect(try await world.unfinished(of: "one") == 1, "never before the delivery")
            _ = try await world.act("faults", ["http": 503, "path": "/inApps/v1/transactions"])
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            await world.assembly.store.actAfterDelivery()
            #expect(try await world.unfinished(of: "one") == 1)
            try await world.endFaults()
            world.clock.advance(by: 61)
            for _ in 0..<2 { await world.assembly.store.actAfterDelivery() }
            #expect(try await world.unfinished(of: "one") == (isAsked ? 0 : 1))
            #expect(try await world.outcomes(of: "transaction.finished") == (isAsked ? ["done"] : []))
            #expect(try await world.post(bought.signedTransaction, as: player).json["finish"] == true)
        }
    }

    /// Nothing that was queued is sent once the catalog does not ask for it, or without a key.
    @Test(arguments: [true, false])
    func `A store task that is not asked for any more is dropped`(hasServerKey: Bool) async throws {
        try await World.run(products: Self.finishing, hasServerKey: hasServerKey) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable", ["customer": "one"])
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            if hasServerKey {
                let live = world.assembly.store.decisions.live
                let bundles = live.current.catalog.apps.flatMap(\.products).flatMap(\.bundles)
                let off = try CatalogFile(
                    Data(Project.products.utf8), bundles: bundles, handlers: Server.standardHandlers)
                #expect(live.replace(with: off))
            }
            await world.assembly.store.actAfterDelivery()
            #expect(try await world.unfinished(of: "one") == 1)
            #expect(try await world.outcomes(of: "transaction.finished") == [])
            #expect(try await world.ledger.dueStoreTasks(limit: 9, lease: world.clock.now, at: .distantFuture) == [])
        }
    }

    /// Support gives a subscription to another account: its renewals name that one, and are delivered there.
    @Test func `Renewals after a transfer name the new owner`() async throws {
        try await World.run(hasServerKey: true) { world in
            let (admin, former, owner) = (
                try await world.newAdmin(.write), try await world.newPlayer(), try await world.newPlayer()
            )
            let bought = try await world.buy(
                "club.monthly", "auto-renewable", ["appAccountToken": .string(former.account), "customer": "one"])
            #expect(try await world.post(bought.signedTransaction, as: former).status == 200)
            _ = try await world.act("faults", ["http": 503, "path": "/inApps/v1/transactions"])
            let moved = try await world.call(
                .post, "/admin/v1/original-transactions/Production/\(bought.originalID)/transfer",
                ["to": .string(owner.account), "reason": "ticket 1"], as: admin)
            #expect(moved.status == 200, "\(moved)")
            await world.assembly.store.actAfterDelivery()
            #expect(try await world.renewedToken(of: bought) == former.account.lowercased())
            try await world.endFaults()
            world.clock.advance(by: 61)
            await world.assembly.store.actAfterDelivery()
            #expect(try await world.renewedToken(of: bought) == owner.account.lowercased())
            #expect(try await world.outcomes(of: "transaction.tokenSet") == ["done"])
            #expect(try await world.post(try await world.renewal(of: bought), as: owner).status == 200)
            #expect(try await world.entitlement(to: "club.monthly", of: former)["access"] != "granted")
        }
    }
}

extension World {
    /// How many transactions of the customer StoreKit would still show to the app.
    fileprivate func unfinished(of customer: String) async throws -> Int {
        try await store.execute(
            uri: "/simulator/v1/customers/\(customer)/transactions?bundleID=\(Self.app)", method: .get
        ) {
            try JSONDecoder().decode(JSONValue.self, from: Data($0.body.readableBytesView))["transactions"].array.count
        }
    }

    /// The outcomes that the audit trail has of one kind of task.
    fileprivate func outcomes(of kind: String) async throws -> [String] {
        try await ledger.auditRows(after: 0, limit: 1_000).filter { $0.kind == kind }.compactMap { row in
            try row.content.flatMap { try JSONDecoder().decode(JSONValue.self, from: Data($0.utf8))["outcome"].text }
        }
    }

    /// Renews the subscription, and returns the signed transaction.
    fileprivate func renewal(of bought: Bought) async throws -> String {
        try #require(try await act("subscriptions/\(bought.originalID)/renew")["signedTransaction"].text)
    }

    /// The `appAccountToken` of a renewal.
    fileprivate func renewedToken(of bought: Bought) async throws -> String? {
        let parts = try await renewal(of: bought).split(separator: ".")
        let padded = parts[1].replacing("-", with: "+").replacing("_", with: "/")
        let payload = try #require(
            Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4)))
        return try JSONDecoder().decode(JSONValue.self, from: payload)["appAccountToken"].text?.lowercased()
    }
}
