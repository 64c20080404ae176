import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine

/// Several administrators at once, and what they are refused.
@Suite struct CatalogAdminRefusalTests {
    @Test func `Of two edits based on one revision, one is refused`() async throws {
        try await World.run { world in
            let (alice, bob) = (try await world.newAdmin(), try await world.newAdmin(name: "bob"))
            let tag = try #require(try await world.entries(as: alice).headers[.eTag])
            let won = try await world.put(
                SampleCatalog.five, SampleCatalog.fiveHints, as: alice, headers: [.ifMatch: tag])
            #expect(won.status == 201)
            let lost = try await world.remove(SampleCatalog.hard, as: bob, headers: [.ifMatch: tag])
            lost.expect(ExpectedProblem(412, "precondition_failed"))
            #expect(lost.headers[.eTag] == won.headers[.eTag])
            let failing: [(String, HTTPFields)] = [
                (SampleCatalog.five, [.ifNoneMatch: "*"]), ("new", [.ifMatch: "*"]),
                (SampleCatalog.five, [.ifMatch: "\"x\""]),
                (SampleCatalog.five, [.ifMatch: "W/\(won.headers[.eTag] ?? "")"]),
                (SampleCatalog.five, [.ifNoneMatch: won.headers[.eTag] ?? ""]),
            ]
            for (id, headers) in failing {
                try await world.put(id, "{\"type\": \"consumable\"}", as: bob, headers: headers)
                    .expect(ExpectedProblem(412, "precondition_failed"), "\(headers)")
            }
            try await world.remove("new", as: bob, headers: [.ifMatch: tag]).expect(
                ExpectedProblem(404, "unknown_product"))
            let fine: [(String, HTTPFields)] = [
                (SampleCatalog.five, [.ifMatch: "*"]), ("new", [.ifNoneMatch: "*"]),
                (SampleCatalog.five, [.ifMatch: "\"x\", \(won.headers[.eTag] ?? "")"]),
            ]
            #expect(
                try await world.put(fine[2].0, SampleCatalog.fiveHints, as: bob, headers: fine[2].1).status == 200)
            #expect(
                try await world.put(fine[0].0, SampleCatalog.fiveHints, as: bob, headers: fine[0].1).status == 200)
            #expect(
                try await world.put(fine[1].0, "{\"type\": \"consumable\"}", as: bob, headers: fine[1].1).status == 201)
        }
    }

    /// Five writers; more at once would wait for a connection of the test's client, and not for the lock.
    @Test func `Fifty edits of the catalog by five writers are all there`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin()
            let statuses = try await withThrowingTaskGroup(of: [Int].self) { group in
                for writer in 0..<5 {
                    group.addTask {
                        var statuses: [Int] = []
                        for number in (writer * 10)..<(writer * 10 + 10) {
                            let answer = try await world.put("p\(number)", "{\"type\": \"consumable\"}", as: admin)
                            statuses.append(answer.status)
                        }
                        return statuses
                    }
                }
                return try await group.reduce(into: [Int]()) { $0 += $1 }
            }
            #expect(statuses == Array(repeating: 201, count: 50))
            let listed = Set(try await world.productList().json["productIDs"].array.compactMap(\.text))
            #expect(listed.isSuperset(of: (0..<50).map { "p\($0)" }) && listed.count == 56)
            // Each saw the one before it.
            let rows = try await world.catalogRows().map(\.json)
            #expect(
                rows.count == 50
                    && zip(rows, rows.dropFirst()).allSatisfy { $0["revisionAfter"] == $1["revisionBefore"] })
        }
    }

    @Test func `A refused edit of the catalog says why and changes nothing`() async throws {
        try await World.run { world in
            let (admin, reader) = (try await world.newAdmin(), try await world.newAdmin(.read, name: "carol"))
            let before = try world.catalogText
            let bad = try await world.put(
                SampleCatalog.five, "{\"type\": \"consumable\", \"credits\": {\"hints\": 0}}", as: admin)
            bad.expect(ExpectedProblem(422, "invalid_product"))
            #expect(bad.json["detail"].text?.hasPrefix("credits: amounts are whole numbers") == true)
            let large =
                "{\"type\": \"consumable\", \"metadata\": {\"a\": \"\(String(repeating: "x", count: 70_000))\"}}"
            try await world.put(SampleCatalog.five, large, as: admin).expect(.requestTooLarge)
            try await world.put(SampleCatalog.five, "{", as: admin).expect(.invalid)
            try await world.put(SampleCatalog.five, SampleCatalog.fiveHints, as: reader).expect(
                ExpectedProblem(403, "forbidden"))
            try await world.remove(SampleCatalog.hard, as: reader).expect(ExpectedProblem(403, "forbidden"))
            try await world.put(SampleCatalog.five, SampleCatalog.fiveHints, as: world.newPlayer()).expect(
                ExpectedProblem(401, "unauthenticated"))
            try await world.call(.get, World.productPath("x"), as: reader).expect(
                ExpectedProblem(404, "unknown_product"))
            for path in [World.productPath("x", app: "com.example.none"), "/admin/v1/apps/com.example.none/products"] {
                try await world.call(.get, path, as: reader).expect(ExpectedProblem(404, "unknown_app"))
            }
            try await world.call(.delete, World.productPath("x", app: "y"), as: admin).expect(
                ExpectedProblem(404, "unknown_app"))
            #expect(try world.catalogText == before)
            #expect(try await world.catalogRows().isEmpty)

            try world.write(before.replacing("\"consumable\"", with: "\"lootbox\""))
            let broken = try await world.put(SampleCatalog.five, SampleCatalog.fiveHints, as: admin)
            broken.expect(ExpectedProblem(409, "invalid_catalog"))
            #expect(broken.json["detail"].text?.contains("apps[0].products[0].type") == true)
        }
    }
}
