import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

/// A signed offer is sold if the app's server signed it for this customer, and for nothing else.
@Suite struct SignedOfferTests {
    private static func order(_ signature: String, _ more: [String: JSONValue] = [:]) -> JSONValue {
        let order: [String: JSONValue] = [
            "bundleID": .string(Shop.app), "productID": "club", "type": "auto-renewable", "customer": "anna",
            "offer": ["type": 2, "id": "back", "signature": .string(signature)],
        ]
        return .object(order.merging(more) { $1 })
    }

    /// The app's server, about to sign an offer of the club for the customer of a transaction.
    private static func signer(_ shop: Shop, of transaction: JSONValue) async throws -> Caller {
        var caller = try await Caller(shop)
        caller.claims = [
            "iss": .string(caller.key.issuerID), "bid": .string(Shop.app), "aud": "promotional-offer",
            "nonce": .string(UUID().text), "iat": .integer(Int(shop.clock.now.timeIntervalSince1970)),
            "productId": "club", "offerIdentifier": "back", "transactionId": transaction,
        ]
        return caller
    }

    private static func buy(_ shop: Shop, _ order: JSONValue) async throws -> Shop.Answer {
        try await shop.send(.post, "/simulator/v1/purchases", order)
    }

    private static func expectRefusal(_ answer: Shop.Answer, _ what: String) {
        #expect(answer.status == .forbidden && answer.json["code"] == "invalid_offer_signature", "\(what)")
    }

    @Test func `The signature of an offer is valid once`() async throws {
        try await Shop.open { shop in
            let hints = try await shop.buy("consumable", "hints", ["customer": "anna"])
            let customer = try SignedMessage.payload(hints["signedTransaction"])["appTransactionId"]
            for transaction in [hints["transactionID"], customer, .null] {
                let text = try await Self.signer(shop, of: transaction).token()
                let bought = try await Self.buy(shop, Self.order(text))
                #expect(bought.status == .created, "\(transaction)")
                let payload = try SignedMessage.payload(bought.json["signedTransaction"])
                #expect(payload["offerIdentifier"] == "back" && payload["offerType"] == 2)
                Self.expectRefusal(try await Self.buy(shop, Self.order(text)), "again")
            }
            // Named by members of the request itself, for a purchase that somebody else has to approve.
            let text = try await Self.signer(shop, of: hints["transactionID"]).token()
            let flat: [String: JSONValue] = [
                "offer": .null, "offerType": 2, "offerIdentifier": "back", "offerSignature": .string(text),
                "outcome": "pending",
            ]
            let asked = try await Self.buy(shop, Self.order("", flat))
            #expect(asked.status == .accepted)
            let path = "/simulator/v1/purchases/\(asked.json["purchase"].text)/approve"
            #expect(try await shop.send(.post, path).status == .created)
            Self.expectRefusal(try await Self.buy(shop, Self.order("", flat)), "pending, again")
        }
    }

    /// Changes that make the claims those of another offer, customer, time or signer.
    private static let wrong: [(name: String, value: JSONValue)] = [
        ("aud", "introductory-offer-eligibility"), ("aud", "appstoreconnect-v1"), ("bid", "com.example.chess"),
        ("iss", "57246542-96fe-1a63-e053-0824d011072a"), ("productId", "words"), ("offerIdentifier", "welcome"),
        ("offerIdentifier", .null), ("nonce", "17"), ("nonce", "3FA85F64-5717-4562-B3FC-2C963F66AFA6"),
        ("transactionId", "1"), ("transactionId", "2000000000000001"), ("iat", .null),
    ]

    @Test func `A signature for another offer, customer or signer is refused`() async throws {
        try await Shop.open { shop in
            let hints = try await shop.buy("consumable", "hints", ["customer": "anna"])["transactionID"]
            for (name, value) in Self.wrong {
                var signer = try await Self.signer(shop, of: hints)
                signer.claims[name] = value
                Self.expectRefusal(try await Self.buy(shop, Self.order(try signer.token())), "\(name) \(value)")
            }
            let others = try await shop.buy("consumable", "hints", ["customer": "bert"])["transactionID"]
            let foreign = try await Self.signer(shop, of: others).token()
            Self.expectRefusal(try await Self.buy(shop, Self.order(foreign)), "another customer's")
            let stranger = P256.Signing.PrivateKey().pemRepresentation
            let forged = try await Self.signer(shop, of: hints).token(signedWith: stranger)
            Self.expectRefusal(try await Self.buy(shop, Self.order(forged)), "another key")
            for (name, value) in [("alg", "none"), ("kid", "ABCDEFGHIJ"), ("typ", "JWS")] {
                var signer = try await Self.signer(shop, of: hints)
                signer.header[name] = .string(value)
                Self.expectRefusal(try await Self.buy(shop, Self.order(try signer.token())), name)
            }
            for text in ["", "x", "a.b.c", String(repeating: "a", count: 5_000)] {
                Self.expectRefusal(try await Self.buy(shop, Self.order(text)), text)
            }
            let path = "/simulator/v1/customers/anna/transactions?bundleID=\(Shop.app)"
            #expect(try await shop.send(.get, path).json["transactions"].elements.count == 1)
            // A signature that was refused is not used up.
            let good = try await Self.signer(shop, of: hints).token()
            Self.expectRefusal(try await Self.buy(shop, Self.order(good, ["productID": "words"])), "words")
            #expect(try await Self.buy(shop, Self.order(good)).status == .created)
        }
    }

    @Test(arguments: [(-61, false), (-60, true), (0, true), (86_400, true), (86_401, false)])
    func `The signature of an offer is valid for a day`(age: Int, isValid: Bool) async throws {
        try await Shop.open { shop in
            let hints = try await shop.buy("consumable", "hints", ["customer": "anna"])["transactionID"]
            var signer = try await Self.signer(shop, of: hints)
            signer.claims["iat"] = .integer(Int(shop.clock.now.timeIntervalSince1970) - age)
            let answer = try await Self.buy(shop, Self.order(try signer.token()))
            #expect(answer.status == (isValid ? .created : .forbidden))
        }
    }

    /// The app's server may follow the simulator's clock, or its own.
    @Test(arguments: [0, 1])
    func `A signature may be dated by the store's clock or the server's`(days: Int) async throws {
        try await Shop.open { shop in
            let hints = try await shop.buy("consumable", "hints", ["customer": "anna"])["transactionID"]
            try await shop.advance(days: 400)
            var signer = try await Self.signer(shop, of: hints)
            let own = Int(shop.clock.now.timeIntervalSince1970)
            signer.claims["iat"] = .integer(days == 0 ? own : own + 400 * 86_400)
            #expect(try await Self.buy(shop, Self.order(try signer.token())).status == .created)
        }
    }

    @Test func `A signature decides whether an introductory offer may be used`() async throws {
        try await Shop.open { shop in
            let hints = try await shop.buy("consumable", "hints", ["customer": "anna"])["transactionID"]
            for (isAllowed, expected) in [(true, HTTPResponse.Status.created), (false, .forbidden)] {
                var signer = try await Self.signer(shop, of: hints)
                signer.claims["aud"] = "introductory-offer-eligibility"
                signer.claims["offerIdentifier"] = nil
                signer.claims["allowIntroductoryOffer"] = .bool(isAllowed)
                let offer: JSONValue = ["type": 1, "signature": .string(try signer.token())]
                #expect(try await Self.buy(shop, Self.order("", ["offer": offer])).status == expected)
            }
            // Codes and win-back offers have no signature.
            for type in [3, 4] {
                let text = try await Self.signer(shop, of: hints).token()
                let offer: JSONValue = ["type": .integer(type), "id": "back", "signature": .string(text)]
                Self.expectRefusal(try await Self.buy(shop, Self.order("", ["offer": offer])), "\(type)")
            }
        }
    }
}
