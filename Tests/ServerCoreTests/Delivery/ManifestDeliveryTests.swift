import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import TestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// From the manifest to the client's confirmation that it has the files.
@Suite struct ManifestDeliveryTests {
    private func confirm(
        _ delivery: String, _ sha256: String, as player: Player, in world: World
    ) async throws -> Answer {
        try await world.call(
            .post, "/v1/deliveries/\(delivery)/confirm", ["sha256": .string(sha256)], as: player)
    }

    @Test func `A delivery is confirmed by the hash of its manifest`() async throws {
        try await World.run { world in
            let keys = try await world.call(.get, "/v1/keys").json
            let (player, other) = (try await world.buyer(of: "hardwords"), try await world.buyer(of: "hardwords"))
            let manifest = try await world.manifest(of: "hard-words", as: player).json
            let id = try #require(manifest["delivery"].text)
            #expect(id.wholeMatch(of: /d_[A-Za-z0-9_-]{22}/) != nil)
            #expect(try await world.manifest(of: "hard-words", as: player).json["delivery"].text == id)
            let sha256 = try #require(SignedMessage(manifest["signed"].text, keys: keys)).sha256
            #expect(try await confirm(id, sha256, as: other, in: world).json["code"] == "not_found")
            #expect(try await confirm("d_x", sha256, as: player, in: world).status == 404)
            #expect(try await confirm(id, "abc", as: player, in: world).status == 400)
            let wrong = try await confirm(id, String(repeating: "0", count: 64), as: player, in: world)
            #expect(wrong.status == 422 && wrong.json["code"] == "delivery_mismatch")
            let right = try await confirm(id, sha256.uppercased(), as: player, in: world)
            #expect(right.status == 200)
            #expect(right.json == ["delivery": .string(id), "confirmed": .string(World.start.rfc3339)])
            world.clock.advance(by: 60)
            #expect(try await confirm(id, sha256, as: player, in: world).json == right.json)
        }
    }

    /// A client that only looks at the headers gets nothing, and if nothing can be recorded what was bought can still
    /// be read.
    @Test func `A HEAD request, or a ledger that cannot record, makes no delivery`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        try await World.run(ledger: ledger) { world in
            let player = try await world.buyer(of: "hardwords")
            #expect(try await world.call(.head, "/v1/bundles/hard-words", as: player).status == 200)
            let all = try await ledger.manifestDeliveries(unconfirmed: false, until: world.clock.now, limit: 9)
            #expect(all == [])
            try await ledger.execute(
                """
                CREATE TRIGGER full BEFORE INSERT ON manifestDeliveries BEGIN SELECT RAISE(ABORT, 'full'); END
                """)
            let answer = try await world.manifest(of: "hard-words", as: player)
            #expect(answer.status == 200 && answer.json["delivery"] == .null && answer.json["signed"].text != nil)
        }
    }

    @Test func `Content that was paid for and not delivered is listed`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin(.read)
            let player = try await world.buyer(of: "hardwords")
            func list(_ query: String = "?unconfirmed=true") async throws -> JSONValue {
                try await world.call(.get, "/admin/v1/deliveries\(query)", as: admin).json
            }
            let bought = try await list()
            #expect(bought["deliveries"] == [] && bought["truncated"] == false)
            #expect(bought["neverFetched"].array.map { $0["account"].text } == [player.account])
            #expect(bought["neverFetched"][0]["bundle"] == "hard-words")
            world.clock.advance(by: 3_600)
            let id = try #require(try await world.manifest(of: "hard-words", as: player).json["delivery"].text)
            let fetched = try await list()
            #expect(fetched["neverFetched"] == [])
            #expect(fetched["deliveries"].array.map { $0["delivery"].text } == [id])
            #expect(fetched["deliveries"][0]["count"] == 1 && fetched["deliveries"][0]["version"] == "1.0.0")
            #expect(try await list("?unconfirmed=true&olderThan=1")["deliveries"] == [])
            let sha256 = try #require(fetched["deliveries"][0]["sha256"].text)
            #expect(try await confirm(id, sha256, as: player, in: world).status == 200)
            #expect(try await list()["deliveries"] == [])
            let all = try await list("")
            #expect(all["deliveries"][0]["confirmed"].text == world.clock.now.rfc3339)
            #expect(all["neverFetched"] == .null)
            for query in ["?unconfirmed=maybe", "?olderThan=-1", "?olderThan=87601", "?olderThan=x"] {
                #expect(try await world.call(.get, "/admin/v1/deliveries\(query)", as: admin).status == 400, "\(query)")
            }
        }
    }

    /// The lists are paged and filtered over HTTP and in the pages, so that every account is on one.
    @Test func `Long lists of deliveries are paged`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let admin = try await world.newAdmin(.read, name: "bob")
            var players: [Player] = []
            for number in 0..<5 {
                players.append(try await world.buyer(of: "hardwords"))
                if number < 3 { _ = try await world.manifest(of: "hard-words", as: players[number]) }
                world.clock.advance(by: 1)
            }
            var (issued, unfetched, next): ([String], [String], String?) = ([], [], "")
            while let after = next {
                let query = "unconfirmed=true&limit=2" + (after.isEmpty ? "" : "&after=\(after.pathEncoded)")
                let page = try await world.call(.get, "/admin/v1/deliveries?\(query)", as: admin).json
                issued += page["deliveries"].array.compactMap { $0["account"].text }
                unfetched += page["neverFetched"].array.compactMap { $0["account"].text }
                #expect(page["truncated"] == .bool(page["next"].text != nil))
                next = page["next"].text
            }
            #expect(issued == players.prefix(3).map(\.account) && unfetched == players.suffix(2).map(\.account))
            func count(_ query: String) async throws -> [Int] {
                let page = try await world.call(.get, "/admin/v1/deliveries?\(query)", as: admin).json
                return [page["deliveries"].array.count, page["neverFetched"].array.count]
            }
            #expect(try await count("unconfirmed=true&account=\(players[1].account)") == [1, 0])
            #expect(try await count("unconfirmed=true&account=\(players[4].account)") == [0, 1])
            #expect(try await count("unconfirmed=true&bundle=hard-words&bundleID=\(World.app)") == [3, 2])
            #expect(try await count("unconfirmed=true&bundle=other") == [0, 0])
            #expect(try await count("unconfirmed=true&bundleID=com.example.other") == [0, 0])
            #expect(try await count("bundle=hard-words") == [3, 0])
            for query in [
                "bundleID=\(World.app)", "after=x", "after=~", "after=1.a~2", "after=~1.x.y", "account=x", "limit=0",
                "limit=1001", "bundle=",
            ] {
                let answer = try await world.call(.get, "/admin/v1/deliveries?\(query)", as: admin)
                #expect(answer.status == 400, "\(query): \(answer)")
            }
            let alice = try await world.visitor(.read)
            let here = try await alice.get("/admin/deliveries?olderThan=0").html
            #expect(players.allSatisfy { here.contains("/admin/accounts/\($0.account)\"") })
            let one = try await alice.get("/admin/deliveries?olderThan=0&account=\(players[1].account)").html
            #expect(one.contains(players[1].account) && !one.contains(players[0].account))
            let wrong = try await alice.get("/admin/deliveries?olderThan=x&bundle=words")
            #expect(wrong.status == 400 && wrong.html.contains("value=\"words\"") && wrong.html.contains("Older than"))
        }
    }

    @Test func `A cursor is read as it was written`() throws {
        let account = try #require(AccountID(text: "0b0e5c1e-0000-4000-8000-000000000001"))
        let issued = DeliveryPosition(date: World.start, id: "d_x-y")
        let unfetched = UnfetchedPosition(date: World.start, account: account, bundle: "a.b~c")
        for cursor in [
            DeliveryCursor(issued: issued), DeliveryCursor(unfetched: unfetched),
            DeliveryCursor(issued: issued, unfetched: unfetched),
        ] { #expect(DeliveryCursor(text: cursor.text) == cursor, "\(cursor.text)") }
        for text in ["", "~", "x", "1.d_x", "~1", "x.d~", "1.d~2", "1.d~2.x.b", "1.d\u{7}~"] {
            #expect(DeliveryCursor(text: text) == nil, "\(text)")
        }
    }

    @Test func `Deliveries are printed for a terminal and for a program`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        try await World.run(ledger: ledger) { world in
            let player = try await world.buyer(of: "hardwords")
            func text(_ output: TextOutput = TextOutput(isTerminal: false, hasColours: false)) async throws -> String {
                try await DeliveryListBody(
                    ledger, DeliveryQuery(unconfirmed: true, DeliveryFilter(until: world.clock.now), limit: 9)
                ).table(for: output).text(for: output)
            }
            let (account, now) = (player.account, World.start.rfc3339)
            #expect(
                try await text().replacing(/n \d+/, with: "n N")
                    == "transaction N\t\(account)\thard-words\t\(now)\tnever asked for")
            let lines = try await text(TextOutput(isTerminal: true, hasColours: false)).split(separator: "\n")
            #expect(lines.count == 2 && lines[0].hasPrefix("DELIVERY ") && lines[1].contains("UTC  never asked for"))
            let id = try await world.manifest(of: "hard-words", as: player).json["delivery"].text ?? ""
            #expect(try await text() == "\(id)\t\(account)\thard-words 1.0.0\t\(now)\tnot confirmed")
            _ = try await world.call(
                .post, "/v1/deliveries/\(id)/confirm",
                [
                    "sha256": .string(
                        try await ledger.manifestDeliveries(unconfirmed: true, until: world.clock.now, limit: 1)
                            .first?.manifest.sha256 ?? "")
                ], as: player)
            #expect(try await text() == "")
        }
    }
}
