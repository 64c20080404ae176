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
    /// The name of the setting in the difference.
    private static let changed = ">Who gets something for sandbox purchases</td>"
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

    /// From the account to access in four steps: the page says before that testers are not let in, and leads there.
    @Test func `A tester is let in from the account's page`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let account = "/admin/accounts/\(player.account)"
            let bought = try await world.buy("hardwords", "non-consumable", World.inSandbox)
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let before = try await alice.get("\(account)/add-tester").html
            #expect(before.contains("No app lets testers in") && before.contains("Let testers in"), "\(before)")
            #expect(try await alice.submit("\(account)/add-tester", [("reason", "App Review")]).status == 303)
            let page = try await alice.get(account).html
            #expect(page.contains("these apps let no testers in"), "\(page)")
            let nobody = "a sandbox purchase, and the app's sandbox admits nobody"
            #expect(page.unescaped.contains(nobody), "\(page)")
            let link = try #require(page.firstMatch(of: /href="([^"]*)">Let testers in/)?.output.1)
            let review = try await alice.get(String(link).unescaped)
            #expect(review.html.contains(Self.changed), "\(review.html)")
            var form = try FilledForm(review.html)
            try form.fill("reason", "ticket 9")
            #expect(try await alice.send(form).status == 303)
            let row = try #require(try await world.appRows().last)
            #expect(row.kind == "app.changed" && row.actor == "admin:alice" && row.json["reason"] == "ticket 9")
            let after = try await alice.get(account).html
            #expect(after.contains(">Given</span>") && !after.contains("let no testers in"), "\(after)")
            #expect(try await !alice.get("\(account)/remove-tester").html.contains("Are testers let in?"))
        }
    }

    /// The overview and *Sandbox* warn as long as a reviewer would be given nothing, and lead to what helps.
    @Test func `A submission that would fail is warned of until everybody is let in`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, reviewer) = (try await world.visitor(.write), try await world.newPlayer())
            let bought = try await world.buy("hardwords", "non-consumable", World.inSandbox)
            #expect(try await world.post(bought.signedTransaction, as: reviewer).status == 200)
            let overview = try await alice.get("/admin").html
            #expect(overview.contains("It would fail now for \(World.app)") && overview.contains("All is well"))
            let page = try await alice.get(Self.path).html
            #expect(page.contains("A submission would fail"), "\(page)")
            let link = try #require(page.firstMatch(of: /href="([^"]*)">Let everybody in until/)?.output.1)
            let review = try await alice.get(String(link).unescaped)
            #expect(review.html.contains(Self.changed), "\(review.html)")
            #expect(try await alice.send(formOf: review).status == 303)
            #expect(try await !alice.get("/admin").html.contains("It would fail now"))
            #expect(try await alice.get(Self.path).html.contains("Is given what it buys"))
            let given = try await alice.get("/admin/accounts/\(reviewer.account)").html
            #expect(given.contains(">Given</span>"), "\(given)")
            world.clock.advance(by: 15 * 86_400)
            let later = try await world.visitor(.read, name: "bob")
            #expect(try await later.get("/admin").html.contains("It would fail now for \(World.app)"))
            let access = "/admin/apps/\(World.app)/sandbox-access"
            #expect(try await later.get(access).status == 403)
        }
    }

    /// Whom and until when is chosen; a day that is none comes back with what was chosen.
    @Test func `A wrong day for the sandbox is explained`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, before) = (try await world.visitor(.write), try world.catalogText)
            let path = "/admin/apps/\(World.app)/sandbox-access"
            #expect(try await alice.get(path).html.contains("<option value=\"testers\">"))
            for query in ["admit=everyone&lastDay=soon", "admit=everyone", "admit=x"] {
                let html = try await alice.get("\(path)?\(query)").html
                #expect(html.contains("class=\"notice bad\"") && html.contains("name=\"lastDay\""), "\(query)")
            }
            let kept = try await alice.get("\(path)?admit=everyone&lastDay=soon").html
            #expect(kept.contains("<option value=\"everyone\" selected>") && kept.contains("value=\"soon\""))
            let same = try await alice.get("\(path)?admit=nobody").html
            #expect(same.contains(Self.changed), "\(same)")
            #expect(try world.catalogText == before)
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
