import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

/// Prices, currencies, storefronts and offers in what the store signs.
@Suite struct FactTests {
    private static let club: JSONValue = [
        "id": "club", "type": "auto-renewable", "displayName": "Club", "description": "All words.", "price": 4_990,
        "currency": "USD", "period": "P7D", "group": "clubs", "level": 2, "isFamilyShareable": .bool(true),
        "storefronts": ["DEU": ["price": 5_490, "currency": "EUR"]],
        "offers": .array([
            ["type": 1, "discountType": "FREE_TRIAL", "period": "P3D"],
            ["type": 2, "id": "half", "discountType": "PAY_AS_YOU_GO", "period": "P7D", "periods": 2, "price": 2_490],
            ["type": 4, "id": "back", "discountType": "PAY_AS_YOU_GO", "price": 990],
        ]),
    ]

    private func shelve(_ shop: Shop) async throws {
        let body: JSONValue = ["bundleID": .string(Shop.app), "products": .array([Self.club])]
        try #require(try await shop.send(.put, "/simulator/v1/products", body).status == .noContent)
    }

    /// The members of the signed transaction for a purchase; null for those that it lacks.
    @Test(
        arguments: [
            ([:], ["price": 990, "currency": "USD", "storefront": "USA", "storefrontId": "143441"]),
            (
                ["price": 1_990, "storefront": "JPN", "quantity": 3],
                ["price": 5_970, "currency": "JPY", "storefront": "JPN", "storefrontId": "143462"]
            ),
            (
                ["price": 0, "currency": "CHF", "storefront": "LIE"],
                ["price": 0, "currency": "CHF", "storefront": "LIE", "storefrontId": .null]
            ),
            (
                ["offer": ["type": 3, "id": "summer", "discountType": "ONE_TIME", "price": 490]],
                ["price": 490, "offerType": 3, "offerIdentifier": "summer", "offerDiscountType": "ONE_TIME"]
            ),
            (
                ["offerType": 2, "offerIdentifier": "old", "price": 100],
                ["price": 100, "offerType": 2, "offerIdentifier": "old", "offerDiscountType": .null]
            ),
        ] as [([String: JSONValue], [String: JSONValue])])
    func `A purchase states its price, currency, storefront and offer`(
        order: [String: JSONValue], expected: [String: JSONValue]
    ) async throws {
        try await Shop.open { shop in
            let bought = try await shop.buy("consumable", "hints", order)
            let payload = try SignedMessage.payload(bought["signedTransaction"])
            for (name, value) in expected { #expect(payload[name] == value, "\(name)") }
            #expect(payload["transactionReason"] == "PURCHASE")
            #expect(!payload["appTransactionId"].text.isEmpty)
        }
    }

    @Test(
        arguments: [
            ("price", -1), ("price", "1"), ("currency", "euro"), ("storefront", "de"), ("renews", "no"),
            ("outcome", "stolen"), ("offer", ["type": 5]), ("offer", ["id": "x"]), ("accelerated", 1),
            ("quantity", 11), ("invitationManagement", "APPLE"), ("billingPlanType", "MONTHLY"),
        ] as [(String, JSONValue)])
    func `A wrong fact of a purchase is refused by name`(member: String, value: JSONValue) async throws {
        try await Shop.open { shop in
            let order: JSONValue = .object(["bundleID": "a", "productID": "b", "type": "consumable", member: value])
            let answer = try await shop.send(.post, "/simulator/v1/purchases", order)
            #expect(answer.status == .unprocessableContent && answer.json["detail"].text.hasPrefix(member))
        }
    }

    /// A trial, two periods of an offer, a price increase with consent, an end, and a win-back.
    @Test func `A subscription follows the periods and offers of its product`() async throws {
        try await Shop.open { shop in
            try await shelve(shop)
            try await shop.sendNoNotifications()
            let order: JSONValue = [
                "bundleID": .string(Shop.app), "productID": "club", "offer": ["type": 1], "storefront": "DEU",
            ]
            let bought = try await shop.send(.post, "/simulator/v1/purchases", order)
            #expect(bought.status == .created)
            let path = "subscriptions/\(bought.json["transactionID"].text)"
            _ = try await shop.act("\(path)/redeem-offer", ["offer": ["type": 2, "id": "half"]])
            try await shop.advance(days: 3 + 14)
            _ = try await shop.act("\(path)/price-increase", ["price": 5_990])
            _ = try await shop.act("\(path)/price-increase", ["price": 5_990, "consent": "accepted"])
            try await shop.advance(days: 7)
            _ = try await shop.act("\(path)/cancel")
            try await shop.advance(days: 7)
            _ = try await shop.act("\(path)/resubscribe", ["offer": ["type": 4, "id": "back"]])
            let reported = try await shop.reported().map { reported in
                [reported.kind]
                    + ["price", "currency", "offerType", "offerIdentifier", "offerDiscountType", "offerPeriod"]
                    .map { Self.text(reported.transaction[$0]) }
                    + [
                        "renewalPrice", "autoRenewStatus", "offerType", "priceIncreaseStatus", "expirationIntent",
                        "eligibleWinBackOfferIds",
                    ].map { Self.text(reported.renewal[$0]) }
            }
            let expected = """
                SUBSCRIBED/INITIAL_BUY 0 EUR 1 - FREE_TRIAL P3D 5490 1 - - - -
                OFFER_REDEEMED 0 EUR 1 - FREE_TRIAL P3D 2490 1 2 - - -
                DID_RENEW 2490 EUR 2 half PAY_AS_YOU_GO P7D 2490 1 2 - - -
                DID_RENEW 2490 EUR 2 half PAY_AS_YOU_GO P7D 5490 1 - - - -
                DID_RENEW 5490 EUR - - - - 5490 1 - - - -
                PRICE_INCREASE/PENDING 5490 EUR - - - - 5990 1 - 0 - -
                PRICE_INCREASE/ACCEPTED 5490 EUR - - - - 5990 1 - 1 - -
                DID_RENEW 5990 EUR - - - - 5990 1 - - - -
                DID_CHANGE_RENEWAL_STATUS/AUTO_RENEW_DISABLED 5990 EUR - - - - - 0 - - - -
                EXPIRED/VOLUNTARY 5990 EUR - - - - - 0 - - 1 back
                SUBSCRIBED/RESUBSCRIBE 990 EUR 4 back PAY_AS_YOU_GO - 5490 1 - - - -
                """
            #expect(reported.map { $0.joined(separator: " ") } == expected.split(separator: "\n").map(String.init))
        }
    }

    @Test func `Product information is listed by app and ID`() async throws {
        try await Shop.open { shop in
            try await shelve(shop)
            let path = "/simulator/v1/products?bundleID=\(Shop.app)"
            for query in ["", "&ids=club", "&ids=nothing,club"] {
                let answer = try await shop.send(.get, path + query)
                #expect(answer.json["products"].elements.map { $0["id"] } == ["club"])
            }
            #expect(try await shop.send(.get, path + "&ids=nothing").json == ["products": .array([])])
            #expect(try await shop.send(.get, "/simulator/v1/products?bundleID=other").json == ["products": .array([])])
            let home = try #require(try await shop.send(.get, path).json["products"].elements.first)
            #expect(home["displayPrice"] == "$4.99" && home["period"] == "P7D" && home["displayName"] == "Club")
            #expect(home["offers"].elements.map { $0["type"] } == [1, 2, 4])
            let abroad = try #require(
                try await shop.send(.get, path + "&storefront=DEU").json["products"].elements.first)
            #expect(abroad["price"] == 5_490 && abroad["currency"] == "EUR" && abroad["displayPrice"] == "€5.49")
            for wrong in [["products": .array([])], ["bundleID": "a"], ["bundleID": "a", "products": .array([[:]])]]
                as [JSONValue]
            {
                #expect(try await shop.send(.put, "/simulator/v1/products", wrong).status == .unprocessableContent)
            }
            #expect(try await shop.send(.get, "/simulator/v1/products").status == .unprocessableContent)
            #expect(try await shop.send(.get, path + "&storefront=de").status == .unprocessableContent)
        }
    }

    /// iOS 7 receipts and `verifyReceipt` say whether a period is a trial or has an introductory price.
    @Test(arguments: [("FREE_TRIAL", 1, 0), ("PAY_AS_YOU_GO", 0, 1)])
    func `Receipts name a trial and an introductory period`(discount: String, trial: Int, introductory: Int)
        async throws
    {
        try await Shop.open { shop in
            let offer: JSONValue = ["type": 1, "discountType": .string(discount)]
            let bought = try await shop.buy("auto-renewable", "club", ["offer": offer])
            let content = try ReceiptFile.attributes(try ReceiptFile(bought["appReceipt"]).content)
            let entry = try ReceiptFile.attributes(try #require(content[17]?.first))
            #expect(try ReceiptFile.integer(entry[1713]?.first) == trial)
            #expect(try ReceiptFile.integer(entry[1719]?.first) == introductory)
            _ = try await shop.act("subscriptions/\(bought["transactionID"].text)/price-increase")
            let answer = try await shop.verifyReceipt(bought["appReceipt"])
            let info = try #require(answer["latest_receipt_info"].elements.first)
            #expect(info["is_trial_period"].text == (trial == 1 ? "true" : "false"))
            #expect(info["is_in_intro_offer_period"].text == (introductory == 1 ? "true" : "false"))
            let pending = try #require(answer["pending_renewal_info"].elements.first)
            #expect(pending["price_increase_status"] == "0" && pending["price_consent_status"] == "0")
        }
    }

    private static func text(_ value: JSONValue) -> String {
        switch value {
        case .integer(let number): String(number)
        case .string(let text): text
        case .array(let elements): elements.map(text).joined(separator: ",")
        default: "-"
        }
    }
}
