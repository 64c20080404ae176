import Foundation
import Testing

@testable import QuartermasterClient

@Suite("Answers of older and newer servers") struct WireTests {
    private static func entitlements(_ members: String) throws -> SignedEntitlements {
        try JSONDecoder().decode(
            SignedEntitlements.self,
            from: Data(
                #"""
                {"account": "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "at": "2026-11-22T04:00:00Z", "bundleID": "a",
                 "environment": "Production", "freshUntil": "2026-12-20T04:00:00Z",
                 "entitlements": [{"app": "a", "product": "p", "type": "consumable", "environment": "Production",
                                   "access": "granted", "bundles": ["b"]\#(members)}]}
                """#.utf8))
    }

    @Test(arguments: [
        "", #", "invented": {"a": [1]}"#, #", "keeps": "yes""#, #", "runs": 7"#, #", "subscription": []"#,
        #", "subscription": {"willRenew": "maybe", "offer": 3, "manage": 7, "winBackOffers": [1, "x"]}"#,
        #", "purchasedAt": "yesterday""#, #", "reason": null"#, #", "ownershipType": "INVENTED""#,
    ])
    func `Optional members of an entitlement may be missing, new, or of another type`(members: String) throws {
        let entitlement = try #require(try Self.entitlements(members).entitlements.first)
        #expect(entitlement.hasAccess(at: .distantFuture))
        #expect(entitlement.bundles == ["b"] && entitlement.runs.isEmpty)
    }

    @Test func `Seats and the commitment of a subscription are read`() throws {
        let text = #"""
            , "subscription": {"renewalQuantity": 4, "billingPlanType": "MONTHLY", "commitmentInfo":
             {"billingPeriodNumber": 3, "totalBillingPeriods": 12, "commitmentPrice": 95880,
              "commitmentExpiresDate": "2026-12-01T00:00:00Z"}}
            """#
        let details = try #require(try Self.entitlements(text).entitlements.first?.subscription)
        #expect(details.renewalQuantity == 4 && details.billingPlanType == "MONTHLY")
        let commitment = try #require(details.commitment)
        #expect(commitment.billingPeriodNumber == 3 && commitment.totalBillingPeriods == 12)
        #expect(commitment.commitmentPrice == 95_880)
        #expect(commitment.commitmentExpiresDate == Date(timeIntervalSince1970: 1_796_083_200))
    }

    @Test(arguments: [
        (#""bundles": ["b"]"#, #""until": "some day""#), (#""bundles": ["b"]"#, #""until": 7"#),
        ("granted", "invented"), (#""granted""#, "true"), (#""consumable""#, "3"), (#""p""#, "null"),
        (#""Production""#, "[]"),
    ])
    func `An entitlement whose deciding members cannot be read gives no access`(part: String, other: String) throws {
        let good = #"""
            {"account": "6F9619FF-8B86-D011-B42D-00CF4FC964FF", "at": "2026-11-22T04:00:00Z", "bundleID": "a",
             "environment": "Production", "freshUntil": "2026-12-20T04:00:00Z", "entitlements":
                [{"app": "a", "product": "p", "type": "consumable", "environment": "Production", "access": "granted",
                  "bundles": ["b"]}]}
            """#
        // In the entitlement, not in what is signed around it.
        let list = try #require(good.range(of: "[{")?.lowerBound)
        let bad = good[..<list] + good[list...].replacingOccurrences(of: part, with: other)
        #expect(bad != good)
        let answer = try JSONDecoder().decode(SignedEntitlements.self, from: Data(bad.utf8))
        #expect(!answer.entitlements.contains { $0.hasAccess(at: .distantPast) }, "\(answer)")
    }

    @Test func `The end of access is read with and without milliseconds, and decides about access`() throws {
        for text in ["2026-12-01T00:00:00Z", "2026-12-01T00:00:00.000Z"] {
            let entitlement = try #require(try Self.entitlements(#", "until": "\#(text)""#).entitlements.first)
            let end = Date(timeIntervalSince1970: 1_796_083_200)
            #expect(entitlement.until == end, "\(text)")
            #expect(entitlement.hasAccess(at: end - 1) && !entitlement.hasAccess(at: end))
        }
    }

    @Test func `The signature bounds access that ends, and no other`() throws {
        let bound = Date(timeIntervalSince1970: 1_797_739_200)
        let (club, words) = (try Self.entitlements(#", "until": "2027-01-01T00:00:00Z""#), try Self.entitlements(""))
        #expect(club.freshUntil == bound)
        let (ends, stays) = (try #require(club.entitlements.first), try #require(words.entitlements.first))
        #expect(ends.hasAccess(at: bound - 1) && !ends.hasAccess(at: bound) && stays.hasAccess(at: bound))
    }

    @Test func `A product that cannot be read does not affect the others`() throws {
        let list = try JSONDecoder().decode(
            ProductList.self,
            from: Data(
                #"""
                {"revision": "1", "productIDs": ["a", "b"], "startingCredits": {"hints": 20}, "openBundles": ["x", 7],
                 "products": [{"id": "a", "type": "invented", "metadata": {"title": {"de": "Wörter"}, "rank": 3}},
                              {"id": 7}, {"id": "b", "type": "consumable", "contents": [{"bundle": "x"}]}]}
                """#.utf8))
        #expect(list.products.map(\.id) == ["a", "b"])
        #expect(list.products[0].metadata["title"]?["de"]?.text == "Wörter")
        #expect(list.products[1].contents.isEmpty)
        #expect(list.startingCredits == ["hints": 20] && list.openBundles == ["x"])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(ProductList.self, from: Data("{}".utf8)) }
    }

    @Test(
        arguments: [
            ("", ServerProblem.Code.unknown, nil), ("<html>", .unknown, nil), ("[]", .unknown, nil),
            (#"{"code": 7, "reason": "chain"}"#, .unknown, "chain"),
            (#"{"code": "account_blocked", "finish": false}"#, .accountBlocked, nil),
            (#"{"code": "invented", "reason": 7, "status": 200}"#, ServerProblem.Code(rawValue: "invented"), nil),
        ] as [(String, ServerProblem.Code, String?)])
    func `A malformed problem is read as far as possible`(body: String, code: ServerProblem.Code, reason: String?) {
        let head = HTTPHead(status: 422, headers: ["x-request-id": "r1", "retry-after": "7"])
        let problem = ServerProblem(HTTPResponse(head: head, body: Data(body.utf8)))
        #expect(problem.code == code && problem.reason?.rawValue == reason && problem.status == 422)
        #expect(problem.requestID == "r1" && problem.retryAfter == .seconds(7))
    }

    @Test func `Versions are in the order of Semantic Versioning, and an app's version may be shorter`() throws {
        let rising = [
            "0.9", "1", "1.0.1-1", "1.0.1-2", "1.0.1-11", "1.0.1-alpha", "1.0.1-alpha.1", "1.0.1-beta", "1.0.1",
            "1.0.10",
            "1.2", "1.10", "2.0.0+build", "18446744073709551615",
        ]
        let versions = try rising.map { try #require(SemanticVersion($0), "\($0)") }
        #expect(versions == versions.shuffled().sorted())
        #expect(try #require(SemanticVersion("1")) == #require(SemanticVersion("1.0.0+7")))
        for text in ["", "1.", "v1", "1..2", "1.0.0-", "1.2.3.4.5", "-1", "1.0.0-a..b", "99999999999999999999", "１"] {
            #expect(SemanticVersion(text) == nil, "\(text)")
        }
    }

    @Test func `Waits grow to their maximum, are random below it, and are never shorter than the server says`() {
        var backoff = Backoff(base: .seconds(2), maximum: .seconds(300))
        let bounds = (0..<100).map { _ in backoff.next(fraction: 1) }
        let first: [Duration] = [2, 4, 8, 16, 32, 64, 128, 256, 300].map { .seconds($0) }
        #expect(Array(bounds[..<9]) == first)
        #expect(bounds.allSatisfy { $0 <= .seconds(300) })
        #expect(backoff.next(fraction: 0) == .zero)
        #expect(backoff.next(fraction: 0.5) == .seconds(150))
        #expect(backoff.next(fraction: 0, retryAfter: .seconds(400)) == .seconds(400))
        backoff.reset()
        #expect(backoff.next(fraction: 1) == .seconds(2))
    }
}
