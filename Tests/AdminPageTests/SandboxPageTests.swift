import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine

/// Support sees who is a tester, and ends it.
@Suite struct SandboxPageTests {
    private static let path = "/admin/sandbox"

    /// Makes new players testers, one after another, a second apart.
    private static func testers(_ count: Int, _ world: World, _ admin: Player) async throws -> [String] {
        var accounts: [String] = []
        for _ in 0..<count {
            let player = try await world.newPlayer()
            #expect(try await world.act("tester", .put, on: player, as: admin).status == 200)
            accounts.append(player.account)
            world.clock.advance(by: 1)
        }
        return accounts
    }

    @Test func `The latest testers are shown first with their acts`() async throws {
        let configured = "00000000-0000-4000-8000-000000000001"
        let environment = World.pagesOn.merging(["QUARTERMASTER_TESTERS": configured]) { $1 }
        try await World.run(environment: environment) { world in
            let (alice, admin) = (try await world.visitor(.write), try await world.newAdmin(name: "carol"))
            let empty = try await alice.get(Self.path).html
            #expect(empty.contains("Support made nobody a tester.") && empty.contains(World.app))
            #expect(empty.contains("Testers by the settings") && empty.contains("/admin/accounts/\(configured)\""))
            let accounts = try await Self.testers(SandboxPage.rows + 1, world, admin)
            let first = try await alice.get(Self.path).html
            #expect(first.contains(accounts[1]) && !first.contains(accounts[0]) && !first.contains("The last ones"))
            let links = first.matches(of: #/href="/admin/accounts/([^"/]*)/remove-tester"/#).map { String($0.output.1) }
            #expect(links == Array(accounts.dropFirst().reversed()))
            let earlier = try #require(first.firstMatch(of: /href="([^"]*)">Earlier ones/)?.output.1)
            let second = try await alice.get(String(earlier).unescaped).html
            #expect(second.contains(accounts[0]) && !second.contains(accounts[1]) && second.contains("The last ones"))
            #expect(!second.contains("Earlier ones"))
            let taken = try await alice.submit(
                "/admin/accounts/\(accounts[9])/remove-tester", [("reason", "plays no more")])
            #expect(taken.status == 303, "\(taken)")
            let after = try await alice.get(Self.path).html
            #expect(!after.contains(accounts[9]) && after.contains(accounts[0]))
            #expect(after.contains("/admin/accounts/\(accounts[0])/reset-sandbox\""))
            let reader = try await world.visitor(.read, name: "bob")
            let read = try await reader.get(Self.path).html
            #expect(read.contains(accounts[0]) && !read.contains("remove-tester") && !read.contains("reset-sandbox"))
        }
    }

    /// One of several apps can be reset, and the page shows what becomes of it.
    @Test func `The sandbox of one app is reset`() async throws {
        try await World.run(products: SampleCatalog.twoApps, environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            for order in [[:], SampleCatalog.inChess] {
                let bought = try await world.buy("tenhints", "consumable", World.inSandbox.merging(order) { $1 })
                #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            }
            let account = "/admin/accounts/\(player.account)"
            let path = "\(account)/reset-sandbox"
            let choice = try await alice.get(path).html
            for option in ["*", World.app, "com.example.chess"] {
                #expect(choice.contains("<option value=\"\(option)\">"), "\(choice)")
            }
            #expect(!choice.contains("name=\"reason\""))
            let one = try await alice.get("\(path)?app=com.example.chess").html
            #expect(one.contains("app com.example.chess") && !one.contains("app \(World.app)"), "\(one)")
            let all = try await alice.get("\(path)?app=*").html
            #expect(all.contains("app com.example.chess") && all.contains("app \(World.app)"))
            let unexplained = try await alice.submit("\(path)?app=com.example.chess", [("reason", "")])
            let form = try FilledForm(unexplained.html)
            #expect(unexplained.status == 422 && form["app"] == "com.example.chess")
            let done = try await alice.submit("\(path)?app=com.example.chess", [("reason", "ticket 7")])
            #expect(done.headers[.location] == "\(account)?done=reset-sandbox", "\(done)")
            let again = try await alice.get("\(path)?app=com.example.chess").html
            #expect(again.contains("There is nothing to do"), "\(again)")
            #expect(try await alice.get("\(path)?app=\(World.app)").html.contains("name=\"reason\""))
            #expect(try await alice.submit("\(path)?app=*", [("reason", "ticket 8")]).status == 303)
            #expect(try await alice.get("\(path)?app=*").html.contains("There is nothing to do"))
        }
    }

    @Test func `The route of testers has pages`() async throws {
        try await World.run { world in
            let admin = try await world.newAdmin(.write)
            let list = { (query: String) in try await world.call(.get, "/admin/v1/testers" + query, as: admin) }
            #expect(try await list("").json == ["testers": []])
            let start = world.clock.now
            let accounts = try await Self.testers(3, world, admin)
            let all: [JSONValue] = accounts.enumerated().reversed().map { place, account in
                ["account": .string(account), "testerSince": .string((start + Double(place)).rfc3339)]
            }
            #expect(try await list("").json == ["testers": .array(all)])
            let first = try await list("?limit=2").json
            #expect(first["testers"] == .array(Array(all.prefix(2))))
            let next = try #require(first["next"].text)
            #expect(try await list("?limit=2&after=\(next)").json == ["testers": .array(Array(all.suffix(1)))])
            for query in ["?after=x", "?after=-1_a", "?after=1_a", "?limit=0", "?limit=1001"] {
                #expect(try await list(query).status == 400, "\(query)")
            }
        }
    }
}
