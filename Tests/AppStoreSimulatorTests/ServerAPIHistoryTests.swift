import Foundation
import HTTPTypes
import InAppPurchase
import Testing

@testable import AppStoreSimulator

@Suite struct ServerAPIHistoryTests {
    @Test func `The history comes in pages in the order of changes`() async throws {
        try await Shop.open(appAppleID: 42) { shop in
            let caller = try await Caller(shop)
            var ids: [String] = []
            for _ in 0..<45 { ids.append(try await shop.buy("consumable")["transactionID"].text) }
            _ = try await shop.act("transactions/\(ids[3])/refund")
            ids.append(ids.remove(at: 3))
            for (sort, expected) in [("ASCENDING", ids), ("DESCENDING", Array(ids.reversed()))] {
                var (found, revision, sizes): ([String], String, [Int]) = ([], "", [])
                var hasMore = true
                while hasMore {
                    let page = try await caller.get("v2/history/\(ids[0])?sort=\(sort)&revision=\(revision)")
                    let part = try Caller.ids(page["signedTransactions"])
                    (found, revision) = (found + part, page["revision"].text)
                    hasMore = page["hasMore"] == .bool(true)
                    sizes.append(part.count)
                    #expect(page["appAppleId"] == 42)
                    #expect(page["bundleId"].text == Shop.app)
                }
                #expect(found == expected)
                #expect(sizes == [20, 20, 5])
                // What changes later comes after the last revision.
                guard sort == "ASCENDING" else { continue }
                #expect(try await caller.get("v2/history/\(ids[0])?revision=\(revision)")["revision"].text == revision)
            }
        }
    }

    /// Version 1 knows the same transactions, but its refunds come without pages.
    @Test func `Version 1 of the history has the same transactions`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            var ids: [String] = []
            for _ in 0..<3 {
                ids.append(try await shop.buy("consumable")["transactionID"].text)
                shop.clock.advance(by: 60)
            }
            for id in ids.prefix(2) { _ = try await shop.act("transactions/\(id)/refund") }
            let all = try await caller.get("v1/history/\(ids[2])")
            #expect(try Caller.ids(all["signedTransactions"]) == [ids[2], ids[0], ids[1]])
            #expect(all["hasMore"] == .bool(false))
            guard case .object(let refunds) = try await caller.get("v1/refund/lookup/\(ids[2])") else {
                Issue.record("no object")
                return
            }
            #expect(try refunds.mapValues(Caller.ids) == ["signedTransactions": [ids[0], ids[1]]])
        }
    }

    @Test func `The history is filtered by product, type and dates`() async throws {
        try await Shop.open { shop in
            let caller = try await Caller(shop)
            let hints = try await shop.buy("consumable", "hints")["transactionID"].text
            shop.clock.advance(by: 60)
            let words = try await shop.buy("non-consumable", "words")["transactionID"].text
            shop.clock.advance(by: 60)
            let club = try await shop.buy("auto-renewable", "club", ["ownershipType": "FAMILY_SHARED"])
            let group = try SignedMessage.payload(club["signedTransaction"])["subscriptionGroupIdentifier"].text
            let clubID = club["transactionID"].text
            _ = try await shop.act("transactions/\(hints)/refund")
            let start = TestClock.start.milliseconds
            let filters: [(String, [String])] = [
                ("productId=words&productId=club", [words, clubID]), ("productType=CONSUMABLE", [hints]),
                ("productType=AUTO_RENEWABLE&productType=NON_CONSUMABLE", [words, clubID]),
                ("productType=CONSUMABLE&productId=words", []), ("revoked=true", [hints]),
                ("revoked=True", [hints]),
                ("revoked=false", [words, clubID]), ("inAppOwnershipType=FAMILY_SHARED", [clubID]),
                ("subscriptionGroupIdentifier=\(group)", [clubID]),
                ("startDate=\(start + 60_000)", [words, clubID]), ("endDate=\(start + 60_000)", [hints]),
            ]
            for (filter, expected) in filters {
                let answer = try await caller.get("v2/history/\(words)?\(filter)")
                let found = Set(try Caller.ids(answer["signedTransactions"]))
                #expect(found == Set(expected), "\(filter)")
            }
            let wrong = [
                ("revision=a", 4_000_005), ("revision=1_2_3", 4_000_005),
                ("revision=99999999999999999999_1", 4_000_005), ("startDate=x", 4_000_015),
                ("endDate=99999999999999999999", 4_000_016), ("startDate=2&endDate=1", 4_000_013),
                ("sort=UP", 4_000_021), ("productType=x", 4_000_022), ("productId=", 4_000_023),
                ("subscriptionGroupIdentifier=", 4_000_024), ("inAppOwnershipType=x", 4_000_026),
                ("revoked=1", 4_000_030),
            ]
            for (query, code) in wrong {
                #expect(try await caller.code(.get, "v2/history/\(words)?\(query)") == code, "\(query)")
            }
        }
    }
}
