import Foundation
import InAppPurchase
import StrictJSON
import TestSupport
import Testing

@testable import AppStore

/// The members of a transaction are read as `Decodable` reads them, whatever their types.
@Suite struct TransactionMembersTests {
    private static let whole: [(name: String, value: String)] = [
        ("transactionId", #""2000000123456789""#), ("originalTransactionId", #""2000000123456788""#),
        ("bundleId", #""com.example.hangman""#), ("productId", #""club""#),
        ("type", #""Auto-Renewable Subscription""#), ("quantity", "2"), ("purchaseDate", "1700000000000"),
        ("originalPurchaseDate", "1600000000000"), ("expiresDate", "1800000000000"),
        ("revocationDate", "1750000000000"), ("revocationReason", "1"), ("revocationPercentage", "50000"),
        ("revocationType", #""REFUND_FULL""#), ("isUpgraded", "true"), ("inAppOwnershipType", #""FAMILY_SHARED""#),
        ("appAccountToken", #""7e3fb20b-4cdb-47cc-936d-99d65f608138""#), ("subscriptionGroupIdentifier", #""20""#),
        ("signedDate", "1760000000000"), ("environment", #""Sandbox""#), ("price", "990"), ("currency", #""EUR""#),
        ("storefront", #""DEU""#), ("storefrontId", #""143443""#), ("offerType", "2"), ("offerIdentifier", #""a""#),
        ("offerDiscountType", #""PAY_UP_FRONT""#), ("offerPeriod", #""P1M""#), ("transactionReason", #""RENEWAL""#),
        ("webOrderLineItemId", #""2""#), ("appTransactionId", #""70""#),
        ("commitmentInfo", #"{"billingPeriodNumber":1,"commitmentPrice":990.5,"commitmentExpiresDate":7}"#),
        ("additionalTransactionReason", #""SEAT_ADDITION""#), ("billingPlanType", #""MONTHLY""#),
        ("multiSeatInfo", #"{"invitationManagement":"APPLE","priceTiers":[{"price":1}],"revokedSeatQuantity":2}"#),
        ("advancedCommerceInfo", #"{"estimatedTax":1,"other":"a"}"#), ("unknown", "[1]"),
    ]

    private static let values = [
        "null", "true", "false", "0", "-1", "1", "2", "1.0", "1e2", "0.5", "1700000000000", "1e300", "1e400",
        "99999999999999999999", "\"\"", #""a""#, #""1""#, #""\u00e9\n""#, #""\ud800""#, "[]", "{}",
        #"{"estimatedTax":"1","billingPeriodNumber":null}"#, #"{"billingPeriodNumber":true}"#,
        #"{"invitationManagement":1,"revokedSeatQuantity":-1}"#, #"{"revokedSeatQuantity":"2"}"#,
    ]

    private func compare(_ members: [(name: String, value: String)]) throws {
        let text = "{" + members.map { "\"\($0.name)\":\($0.value)" }.joined(separator: ",") + "}"
        guard let json = try? StrictJSON(signed: Data(text.utf8)) else { return }
        func transaction(_ read: () throws -> TransactionPayload) -> Transaction? {
            (try? read()).flatMap { try? $0.transaction(in: .sandbox) }
        }
        let decoded = transaction { try json.decode(TransactionPayload.self) }
        #expect(transaction { try TransactionPayload(json.root) } == decoded, "\(text)")
        let isRead = (try? TransactionPayload(json.root)) != nil
        #expect(isRead == ((try? json.decode(TransactionPayload.self)) != nil), "\(text)")
    }

    @Test func `Members of a transaction are read as Decodable reads them`() throws {
        try compare(Self.whole)
        for place in Self.whole.indices {
            var members = Self.whole
            members.remove(at: place)
            try compare(members)
            for value in Self.values {
                members = Self.whole
                members[place].value = value
                try compare(members)
            }
        }
    }

    /// A name is found whether or not it is written with escapes.
    @Test func `Member names with escapes are found`() throws {
        var members = Self.whole
        members[0].name = #"transact\u0069onId"#
        try compare(members)
        let text = #"{"sign\u0065dDate":5,"tr\u0061nsactionId":"7","a\"b":1}"#
        let payload = try SignedPayload(StrictJSON(signed: Data(text.utf8)))
        #expect(payload.signedDate == Date(milliseconds: 5))
        #expect(payload.has("transactionId") && !payload.has("transactionID") && !payload.has("a"))
    }
}
