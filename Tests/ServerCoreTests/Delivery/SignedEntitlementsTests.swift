import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import Testing

@testable import ServerCore
@testable import ServerHTTP

/// A device trusts entitlements by the server's keys alone.
@Suite struct SignedEntitlementsTests {
    private static let path = "/v1/entitlements"
    private static let day: TimeInterval = 86_400

    @Test func `What is signed is what the answer says of one app and environment`() async throws {
        try await World.run { world in
            let player = try await world.buyer(of: "hardwords")
            let hints = try await world.buy("tenhints", "consumable", World.inSandbox)
            #expect(try await world.post(hints.signedTransaction, as: player).status == 200)
            for environment in ["Production", "Sandbox"] {
                let answer = try await world.entitlements(of: player, query: "?environment=\(environment)")
                let message = try await message(answer, world)
                #expect(message.header["typ"] == "quartermaster-entitlements+jwt" && message.header["alg"] == "EdDSA")
                let claims = message.members
                #expect(claims["account"].text == player.account && claims["bundleID"].text == World.app)
                #expect(claims["environment"].text == environment && claims["nonce"] == .null)
                #expect(claims["at"] == answer["at"] && claims["balances"] == answer["balances"])
                #expect(claims["freshUntil"].text == World.start.addingTimeInterval(7 * Self.day).rfc3339)
                let stated = answer["entitlements"].array.filter { $0["environment"].text == environment }
                #expect(claims["entitlements"].array == stated && !stated.isEmpty)
            }
        }
    }

    @Test func `Entitlements are signed once for a change and half of their life`() async throws {
        try await World.run { world in
            let player = try await world.buyer(of: "hardwords")
            let first = try await world.call(.get, Self.path, as: player)
            let tag = try #require(first.headers[.eTag])
            func again(_ known: Bool = true) async throws -> Answer {
                try await world.call(.get, Self.path, as: player, headers: known ? [.ifNoneMatch: tag] : [:])
            }
            world.clock.advance(by: 3.5 * Self.day - 1)
            #expect(try await again().status == 304)
            #expect(try await again(false).json["signed"] == first.json["signed"])
            world.clock.advance(by: 1)
            let second = try await again()
            #expect(second.status == 200 && second.headers[.eTag] == tag)
            #expect(try await message(second.json, world).members["at"] == second.json["at"])
            #expect(try await again().status == 304)
            world.clock.advance(by: -1)
            #expect(try await again().status == 200, "signed later than this clock says")

            let hints = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(hints.signedTransaction, as: player).status == 200)
            let third = try await again()
            #expect(third.status == 200 && third.headers[.eTag] != tag)
            #expect(try await message(third.json, world).members["balances"]["hints"] == 10)
        }
    }

    @Test func `An answer to a nonce is made for that request alone`() async throws {
        try await World.run { world in
            let player = try await world.buyer(of: "hardwords")
            let plain = try await world.call(.get, Self.path, as: player)
            let tag = try #require(plain.headers[.eTag])
            world.clock.advance(by: 10)
            for nonce in ["one", #"a "quoted" \ one"#, String(repeating: "n", count: 64)] {
                let headers: HTTPFields = [.quartermasterNonce: nonce, .ifNoneMatch: tag]
                let answer = try await world.call(.get, Self.path, as: player, headers: headers)
                #expect(answer.status == 200 && answer.headers[.eTag] == tag)
                let claims = try await message(answer.json, world).members
                #expect(claims["nonce"].text == nonce && claims["at"] == answer.json["at"])
            }
            #expect(try await world.call(.get, Self.path, as: player).json["signed"] == plain.json["signed"])
            for nonce in ["", String(repeating: "n", count: 65), "é"] {
                let answer = try await world.call(
                    .get, Self.path, as: player, headers: [.quartermasterNonce: nonce])
                #expect(answer.status == 400, "\(nonce)")
            }
        }
    }

    @Test func `The answer to a restore is signed, too`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("hardwords", "non-consumable")
            let answer = try await world.call(
                .post, "/v1/restore", ["receipts": [.string(bought.signedTransaction)]], as: player,
                headers: [.quartermasterNonce: "now"])
            let claims = try await message(answer.json, world).members
            #expect(claims["nonce"] == "now" && claims["entitlements"].array == answer.json["entitlements"].array)
            #expect(claims["entitlements"][0]["access"] == "granted" && claims["receipts"] == .null)
        }
    }

    @Test func `The app says for how many days, and a change of it is signed at once`() async throws {
        try await World.run(products: Self.catalog(offlineDays: 35)) { world in
            let player = try await world.newPlayer()
            func freshUntil() async throws -> String? {
                try await message(try await world.entitlements(of: player), world).members["freshUntil"].text
            }
            #expect(try await freshUntil() == World.start.addingTimeInterval(35 * Self.day).rfc3339)
            var seen = CatalogWatcher.Seen()
            try world.write(Self.catalog(offlineDays: 1))
            try await world.lookAtCatalog(&seen)
            #expect(try await freshUntil() == World.start.addingTimeInterval(Self.day).rfc3339)
        }
    }

    @Test func `What is about no one app is not signed`() async throws {
        let apps = #"{"apps": [{"bundleID": "a", "products": []}, {"bundleID": "b", "products": []}]}"#
        try await World.run(products: apps) { world in
            let (player, other) = (try await world.newPlayer(), try await world.newPlayer())
            #expect(try await world.entitlements(of: player)["signed"] == .null)
            var seen: Set<String?> = []
            for player in [player, other] {
                for app in ["a", "b"] {
                    let answer = try await world.entitlements(of: player, query: "?bundleID=\(app)")
                    let claims = try await message(answer, world).members
                    #expect(claims["bundleID"].text == app && claims["account"].text == player.account)
                    seen.insert(answer["signed"].text)
                }
            }
            #expect(seen.count == 4, "each account and app its own")
        }
    }

    private static func catalog(offlineDays: Int) -> String {
        #"{"apps": [{"bundleID": "\#(World.app)", "offlineDays": \#(offlineDays), "products": []}]}"#
    }

    private func message(_ answer: JSONValue, _ world: World) async throws -> SignedMessage {
        try #require(SignedMessage(answer["signed"].text, keys: try await world.call(.get, "/v1/keys").json))
    }
}
