@testable import AdminPages
@testable import AppStoreService
@testable import QuartermasterServer
@testable import ServerCore
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import CommandLine

/// A error on a page is no dead end: what was typed is still there, and there is a way back.
@Suite struct AdminMistakePageTests {
    private static let long = String(repeating: "x", count: SupportAct.maximumReasonCharacters) + "<"

    /// The form comes once more, with what is wrong above it and the previous values in it, and then works.
    @Test func `A refused form is shown again with its values`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let bought = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let place = "/admin/accounts/\(player.account)"
            let choice = "\(World.app)/Production/\(World.app).hardwords".pathEncoded
            let pages = [
                "\(place)/grant?product=\(choice)&lastDay=2099-12-31",
                "\(place)/credits?balance=\("\(World.app)/Production/hints".pathEncoded)&amount=7",
                "\(place)/add-beta", "\(place)/recovery-code",
            ]
            for page in pages {
                var form = try FilledForm(try await alice.get(page).html)
                try form.fill("reason", Self.long)
                let answer = try await alice.send(form)
                #expect(answer.status == 422 && answer.html.contains("A reason is required"), "\(page): \(answer)")
                #expect(answer.html.contains("notice bad") && answer.html.contains("Reason: 1 to 500 characters"))
                var again = try FilledForm(answer.html)
                #expect(again.action == form.action && again["reason"] == Self.long)
                #expect(Self.shown(again) == Self.shown(form), "\(page)")
                #expect(answer.html.contains("maxlength=\"500\""))
                try again.fill("reason", "ticket 7")
                let done = try await alice.send(again)
                #expect(done.status == (page.hasSuffix("recovery-code") ? 200 : 303), "\(page): \(done)")
            }
            let account = try #require(AccountID(text: player.account))
            let report = try #require(
                try await world.ledger.accountReport(
                    of: account, after: nil, limit: 10, in: world.assembly.store.decisions.context))
            #expect(report.grants.entries.map(\.grant.end) == [Date(rfc3339: "2100-01-01T00:00:00Z")])
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 7])
        }
    }

    /// The fields that an administrator sees, or that say what the act is about: all except tokens and keys.
    private static func shown(_ form: FilledForm) -> [String] {
        form.values.filter { !["csrf", "key"].contains($0.0) }.map { "\($0.0)=\($0.1)" }
    }

    @Test func `A refused upload keeps its fields`() async throws {
        let content = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.copyItem(at: URL(filePath: Project.folder("content")), to: content)
        defer { try? FileManager.default.removeItem(at: content) }
        let environment = World.pagesOn.merging(["QUARTERMASTER_CONTENT": content.path]) { $1 }
        try await World.run(environment: environment) { world in
            let alice = try await world.visitor(.write)
            let form = try FilledForm(try await alice.get("/admin/new-version").html)
            let values = [
                ("csrf", form["csrf"] ?? ""), ("bundle", "hard-words"), ("version", "one"), ("channel", "beta"),
            ]
            let files = [UploadPart("files", "x", file: "a.txt"), UploadPart("folder", "y", file: "words/b/c.txt")]
            let parts = values.map { UploadPart($0.0, $0.1) } + files
            let answer = try await alice.upload(form.action, parts)
            #expect((400..<500).contains(answer.status), "\(answer)")
            let again = try FilledForm(answer.html)
            #expect(again.action == form.action && answer.html.contains("notice bad"))
            #expect(
                again["bundle"] == "hard-words" && again["version"] == "one" && again["channel"] == "beta",
                "\(again.values)")
            let words = "Choose them again, since browsers forget them: a.txt, b/c.txt."
            #expect(answer.mistakes.contains { $0.field == "files" && $0.words == words }, "\(answer.mistakes)")
        }
    }

    /// An impossible search is explained in plain words, and stays in the field.
    @Test func `An impossible search is explained and stays in its field`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let searches = [
                ("q", "anna@example.com", "E-mail addresses cannot be searched for"),
                ("q", "GPA.3372-4150-8203", "order of Google Play"),
                ("q", "89a6771", "That is too little of an account's ID, or too much."),
                ("q", "tenhints", "That is no order number"), ("q", "Hard words", "That is no order number"),
                ("order", "!", "not something that can be searched for."),
            ]
            for (name, text, words) in searches {
                let answer = try await alice.get("/admin/accounts?\(name)=\(text.pathEncoded)")
                #expect(answer.status == 400 && answer.html.unescaped.contains(words), "\(text): \(answer)")
                #expect(answer.html.contains("Search for the order in the customer&#39;s e-mail"), "\(answer.html)")
                #expect(answer.html.contains("name=\"q\" type=\"search\" value=\"\(text)\""), "\(answer.html)")
            }
            let nothing = try await alice.get("/admin/accounts?q=MX9UNKNOWN").html
            #expect(nothing.contains("Nothing was found") && nothing.contains("value=\"MX9UNKNOWN\""))
            let bought = try await world.act(
                "purchases",
                ["bundleID": .string(World.app), "productID": .string("\(World.app).tenhints"), "type": "consumable"])
            let order = try #require(bought["orderID"].text)
            _ = try await world.post(try #require(bought["signedTransaction"].text), as: player)
            #expect(order == order.uppercased() && order != order.lowercased())
            let found = try await alice.get("/admin/accounts?q=\(order.lowercased())")
            #expect(found.headers[.location] == "/admin/accounts/\(player.account)", "\(found)")
        }
    }

    /// The filter of the audit trail says what is wrong with it, and keeps the other values: a field for a time has no
    /// place for what is none.
    @Test func `A wrong filter of the audit trail is explained and keeps its other values`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.read)
            let answer = try await alice.get("/admin/audit?actor=admin:alice&since=31.12.2026")
            #expect(answer.status == 400 && answer.html.contains("From: "), "\(answer.html)")
            #expect(answer.html.contains("value=\"admin:alice\""))
        }
    }

    /// Every error page has a link, and an unknown address has a page.
    @Test func `Every error page has a way back`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let place = "/admin/accounts/\(player.account)"
            let links = [
                ("\(place)/grants/g_x/revoke", 404, place),
                ("/admin/accounts/\(UUID().uuidString)", 404, "/admin/accounts"),
                ("/admin/accounts?after=x", 400, "/admin/accounts"), ("/admin/no-such-page", 404, "/admin"),
                ("/admin/accounts/\(player.account)/nothing/here", 404, "/admin"),
                ("/admin/products/\(World.app)/\(World.app).hardwords/save", 405, "/admin"),
            ]
            for (path, status, link) in links {
                let answer = try await alice.get(path)
                #expect(answer.status == status, "\(path): \(answer)")
                #expect(answer.headers[.contentType] == "text/html; charset=utf-8", "\(path)")
                #expect(answer.html.contains("<li><a href=\"\(link)\">Back to"), "\(path): \(answer.html)")
            }
            let wrongMethod = try await alice.get("/admin/products/\(World.app)/\(World.app).hardwords/save")
            #expect(wrongMethod.headers[.allow] == "POST")
            let nobody = try await world.visitor.get("/admin/no-such-page")
            #expect(nobody.status == 404 && nobody.html.contains("<a href=\"/admin/sign-in\">Sign in"), "\(nobody)")
            let api = try await world.call(
                .get, "/admin/v1/no-such-route", as: try await world.newAdmin(.read, name: "bob"))
            #expect(api.status == 404 && api.headers[.contentType] == "application/problem+json", "\(api)")
        }
        try await World.run { world in
            let answer = try await world.visitor.get("/admin/no-such-page")
            #expect(answer.status == 404 && answer.headers[.contentType] == "application/problem+json")
        }
    }
}
