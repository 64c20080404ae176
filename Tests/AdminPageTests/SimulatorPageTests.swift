import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import NIOCore
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import ServerHTTP

/// The simulated App Store by buttons, with a simulated App Store on a socket.
@Suite struct SimulatorPageTests {
    private static let path = "/admin/simulator"

    private static func run(_ test: @escaping @Sendable (World, PageVisitor) async throws -> Void) async throws {
        try await World.run(environment: World.pagesOn, hasSimulatorPages: true) { world in
            try await test(world, try await world.visitor(.write))
        }
    }

    @Test func `Without the simulator there is no page for it`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            #expect(try await !alice.get("/admin").html.contains(Self.path))
            #expect(try await alice.get(Self.path).status == 404)
        }
    }

    /// Bought and refunded by buttons; the app sends what the store has, and the player gets it and loses it.
    @Test func `A purchase is made and refunded by buttons`() async throws {
        try await Self.run { world, alice in
            #expect(try await alice.get("/admin").html.contains("href=\"\(Self.path)\""))
            let player = try await world.newPlayer()
            let form = [
                ("product", "\(World.app) \(World.app).hardwords"), ("environment", "Production"),
                ("customer", "anna"), ("account", player.account),
            ]
            let bought = try await alice.send("buy", form)
            let location = try #require(bought.headers[.location], "\(bought.html)")
            let id = try #require(location.split(separator: "=").last.map(String.init))
            #expect(try await alice.get(location).html.contains("Bought: transaction \(id)."))
            #expect(try await world.post(world.newest(of: "anna"), as: player).status == 200)
            #expect(try await world.entitlement(to: "hardwords", of: player)["access"] == "granted")
            let refunded = try await alice.send("act", [("transaction", id), ("act", "refund")])
            #expect(refunded.headers[.location] == "\(Self.path)?done=act&transaction=\(id)", "\(refunded.html)")
            #expect(try await world.post(world.newest(of: "anna"), as: player).status == 200)
            #expect(try await world.entitlement(to: "hardwords", of: player)["reason"] == "revoked")
        }
    }

    /// A subscription is renewed and expires by buttons; the server is notified of both.
    @Test func `A subscription is renewed and expires by buttons`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true, hasSimulatorPages: true) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            try await world.setNotificationURL()
            let bought = try await world.buy("club.monthly", "auto-renewable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let first = try await world.entitlement(to: "club.monthly", of: player)
            for (act, access) in [("renew", "granted"), ("expire", "denied")] {
                world.clock.advance(by: 60)
                let answer = try await alice.send("act", [("transaction", bought.originalID), ("act", act)])
                let location = "\(Self.path)?done=act&transaction=\(bought.originalID)"
                #expect(answer.headers[.location] == location, "\(answer.html)")
                let reported = try #require(try await world.signedPayloads().last)
                #expect(try await world.receive(reported).status == 200)
                let now = try await world.entitlement(to: "club.monthly", of: player)
                #expect(now["access"].text == access && now != first, "\(act): \(now)")
            }
        }
    }

    @Test func `The clock and the faults of the simulator are set by buttons`() async throws {
        try await Self.run { world, alice in
            // What the simulator signs later is from the future, by the server's clock.
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            let moved = try await alice.send("clock", [("seconds", "86400")])
            #expect(moved.headers[.location] == "\(Self.path)?done=clock")
            #expect(try await alice.get(Self.path).html.contains("86400 seconds"))
            _ = try await alice.send("faults", [("fault", "503"), ("count", "")])
            #expect(try await world.post(bought.appReceipt, as: player).status == 202)
            #expect(try await alice.send("faults/end", []).headers[.location] == "\(Self.path)?done=noFaults")
            #expect(try await world.post(bought.appReceipt, as: try await world.newPlayer()).status == 200)
        }
    }

    @Test func `Mistakes on the simulator page are explained`() async throws {
        try await Self.run { world, alice in
            let forms: [(String, [(String, String)], Int)] = [
                ("act", [("transaction", "7"), ("act", "refund")], 422),
                ("act", [("transaction", "../../faults"), ("act", "refund")], 422),
                ("act", [("transaction", ""), ("act", "refund")], 400),
                ("act", [("transaction", "7"), ("act", "share")], 400), ("clock", [("seconds", "-5")], 400),
                ("buy", [("product", "x y")], 400), ("faults", [("fault", "x")], 400),
                ("faults", [("fault", "503"), ("count", "many")], 400),
                ("faults", [("fault", "503"), ("count", "-1")], 422),
            ]
            for (name, form, status) in forms {
                let answer = try await alice.send(name, form)
                #expect(answer.status == status && answer.html.contains("role=\"status\""), "\(form) \(answer.html)")
            }
            let page = try await alice.get("\(Self.path)?done=buy&transaction=%3Cb%3Ecall+me").html
            #expect(page.contains("Bought: transaction .") && !page.contains("call me"))
            let reader = try await world.visitor(.read, name: "bob")
            let read = try await reader.get(Self.path).html
            #expect(read.contains("Its time") && !read.contains("\(Self.path)/"))
        }
    }
}

extension PageVisitor {
    fileprivate func send(_ name: String, _ form: [(String, String)]) async throws -> Answer {
        let csrf = cookie.map(SessionCookie.formToken) ?? ""
        return try await post("/admin/simulator/\(name)", [("csrf", csrf)] + form)
    }
}

extension World {
    /// The newest transaction of a customer of the store, as StoreKit gives it to the app.
    fileprivate func newest(of customer: String) async throws -> String {
        let uri = "/simulator/v1/customers/\(customer)/transactions?bundleID=\(World.app)"
        let answer = try await store.execute(uri: uri, method: .get, headers: [:], body: nil) { response in
            try JSONDecoder().decode(JSONValue.self, from: Data(response.body.readableBytesView))
        }
        return try #require(answer["transactions"][0].text)
    }
}
