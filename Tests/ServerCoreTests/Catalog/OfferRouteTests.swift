import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine

/// Offers are signed for those who are eligible for them.
@Suite struct OfferRouteTests {
    private static let path = "/v1/apps/\(World.app)/offer-signatures"

    private static func body(_ kind: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
        .object(
            ["product": .string("\(World.app).club.monthly"), "offer": "back", "kind": .string(kind)]
                .merging(more) { $1 })
    }

    @Test func `An offer is signed for a subscriber whose subscription is over`() async throws {
        try await World.run(products: World.withOffers, hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let none = try await world.call(.post, Self.path, Self.body("promotional"), as: player)
            #expect(none.status == 403 && none.json["code"] == "not_eligible")
            let bought = try await world.buy("club.monthly", "auto-renewable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            world.clock.advance(by: 90 * 86_400)
            #expect(try await world.entitlement(to: "club.monthly", of: player)["access"] == "denied")
            let signed = try await world.call(.post, Self.path, Self.body("promotional"), as: player)
            #expect(signed.status == 200 && signed.json["kind"] == "promotional", "\(signed)")
            let claims = try World.claims(of: try #require(signed.json["signature"].text))
            #expect(claims["aud"] == "promotional-offer" && claims["offerIdentifier"] == "back")
            #expect(claims["productId"].text == "\(World.app).club.monthly" && claims["bid"].text == World.app)
            #expect(claims["transactionId"].text == bought.transactionID)
            #expect(claims["iat"].number == Int(world.clock.now.timeIntervalSince1970))
            let sandbox = try await world.call(
                .post, Self.path, Self.body("promotional", ["environment": "Sandbox"]), as: player)
            #expect(sandbox.status == 403 && sandbox.json["code"] == "not_eligible")
            let again = try await world.call(.post, Self.path, Self.body("promotional"), as: player)
            let others = try World.claims(of: try #require(again.json["signature"].text))
            #expect(others["nonce"] != claims["nonce"] && others["transactionId"] == claims["transactionId"])
        }
    }

    /// The simulated App Store sells what the server signed, to that customer and once.
    @Test func `The store sells an offer that the server signed`() async throws {
        try await World.run(products: World.withOffers, hasServerKey: true) { world in
            let player = try await world.newPlayer()
            let token = ["appAccountToken": JSONValue.string(player.account)]
            let bought = try await world.buy("club.monthly", "auto-renewable", token)
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            world.clock.advance(by: 90 * 86_400)
            let signed = try await world.call(.post, Self.path, Self.body("promotional"), as: player)
            let offer: JSONValue = ["type": 2, "id": "back", "signature": signed.json["signature"]]
            let again = try await world.buy("club.monthly", "auto-renewable", token.merging(["offer": offer]) { $1 })
            let answer = try await world.post(again.signedTransaction, as: player)
            #expect(answer.json["transactions"][0]["outcome"] == "delivered", "\(answer)")
        }
    }

    /// Until a trial was used in the group.
    @Test func `An introductory offer is signed until a trial was used in the group`() async throws {
        try await World.run(products: World.withOffers, hasServerKey: true) { world in
            let (player, kind) = (try await world.newPlayer(), "introductoryEligibility")
            let body = Self.body(kind, ["offer": .null])
            #expect(try await world.call(.post, Self.path, body, as: player).status == 403)
            let hints = try await world.buy("tenhints", "consumable")
            #expect(try await world.post(hints.signedTransaction, as: player).status == 200)
            let signed = try await world.call(.post, Self.path, body, as: player)
            #expect(signed.status == 200 && signed.json["kind"].text == kind, "\(signed)")
            let claims = try World.claims(of: try #require(signed.json["signature"].text))
            #expect(claims["aud"] == "introductory-offer-eligibility" && claims["allowIntroductoryOffer"] == true)
            let customer = try World.claims(of: hints.signedTransaction)["appTransactionId"]
            #expect(claims["transactionId"] == customer && customer != .null)
            let trial = try await world.buy(
                "club.monthly", "auto-renewable", ["offerType": 1, "offerDiscountType": "FREE_TRIAL"])
            #expect(try await world.post(trial.signedTransaction, as: player).status == 200)
            let used = try await world.call(.post, Self.path, body, as: player)
            #expect(used.status == 403 && used.json["code"] == "not_eligible")
        }
    }

    @Test func `An offer that cannot be signed is refused with its reason`() async throws {
        let club = JSONValue.string("\(World.app).club.monthly")
        let table: [(path: String, body: JSONValue, status: Int, code: String)] = [
            (Self.path, Self.body("promotional"), 501, "no_signing_key"),
            ("/v1/apps/com.example.go/offer-signatures", Self.body("promotional"), 404, "unknown_app"),
            (Self.path, Self.body("promotional", ["product": "nothing"]), 404, "unknown_product"),
            (
                Self.path, Self.body("promotional", ["product": .string("\(World.app).tenhints")]), 404,
                "unknown_product"
            ),
            (Self.path, Self.body("promotional", ["offer": "other"]), 403, "unknown_offer"),
            (Self.path, Self.body("winBack"), 400, "invalid_request"),
            (Self.path, Self.body("promotional", ["offer": ""]), 400, "invalid_request"),
            (Self.path, Self.body("promotional", ["environment": "Moon"]), 400, "invalid_request"),
            (Self.path, .object(["product": club, "kind": "promotional"]), 400, "invalid_request"),
        ]
        try await World.run(products: World.withOffers) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("club.monthly", "auto-renewable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            for row in table {
                let answer = try await world.call(.post, row.path, row.body, as: player)
                #expect(answer.status == row.status && answer.json["code"].text == row.code, "\(row): \(answer)")
            }
        }
    }
}

extension World {
    /// The claims of a JWS, whose signature is not checked.
    static func claims(of jws: String) throws -> JSONValue {
        let parts = jws.split(separator: ".")
        let text = try #require(parts.count == 3 ? parts[1] : nil)
        let padded = text.replacing("-", with: "+").replacing("_", with: "/")
        let bytes = Data(base64Encoded: padded + String(repeating: "=", count: (4 - padded.count % 4) % 4))
        return try JSONDecoder().decode(JSONValue.self, from: try #require(bytes))
    }
}
