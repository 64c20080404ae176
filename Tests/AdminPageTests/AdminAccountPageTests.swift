@testable import AppStoreService
@testable import QuartermasterServer
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// Support finds accounts, reads about them and acts in the pages.
@Suite struct AdminAccountPageTests {
    private func audit(_ world: World) async throws -> [AuditRow] {
        try await world.ledger.newestAuditRows(of: nil, before: nil, limit: 1_000)
    }

    /// By everything that a customer may write to support, the account is one page away.
    @Test func `A player is found by everything that a customer may write`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let bought = try await world.act(
                "purchases",
                [
                    "bundleID": .string(World.app), "productID": .string("\(World.app).hardwords"),
                    "type": "non-consumable",
                ])
            let receipt = try await world.post(try #require(bought["signedTransaction"].text), as: player)
            let (order, id) = (try #require(bought["orderID"].text), try #require(bought["transactionID"].text))
            let place = "/admin/accounts/\(player.account)"
            let searches = [
                "order=\(order)", "transaction=\(id)", "originalTransaction=\(id)",
                "receipt=\(receipt.json["receipt"].text ?? "")", "q=\(order)", "q=\(id)",
                "q=%20\(player.account.uppercased())", "q=\(receipt.json["receipt"].text ?? "")",
            ]
            for search in searches {
                let answer = try await alice.get("/admin/accounts?\(search)")
                #expect(answer.status == 303 && answer.headers[.location] == place, "\(search): \(answer)")
            }
            let page = try await alice.get(place)
            #expect(page.status == 200 && page.html.contains("com.example.hangman.hardwords"))
            #expect(page.html.contains(">Given</span>") && page.html.contains("UTC</time>"))
            for search in ["q=1", "q=r_x", "transaction=1", "receipt=x"] {
                let answer = try await alice.get("/admin/accounts?\(search)")
                #expect(answer.status == 200 && answer.html.contains("Nothing was found"), "\(search)")
            }
            let unknown = try await alice.get("/admin/accounts/\(UUID().uuidString)")
            #expect(unknown.status == 404 && unknown.html.contains("No such account"))
            #expect(try await alice.get("/admin/accounts?order=%21").status == 400)
            let nobody = try await alice.get("/admin/accounts?q=MX9UNKNOWN")
            #expect(
                nobody.status == 200 && nobody.html.contains("The App Store knows no such order either."), "\(nobody)")
        }
    }

    /// The first eight characters of an account's ID find it, in either case and without hyphens; nobody is asked.
    @Test func `A player is found by the beginning of the account's ID`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let (text, place) = (player.account, "/admin/accounts/\(player.account)")
            _ = try await world.act("faults", ["http": 503])
            for part in [
                String(text.prefix(8)), text.prefix(13).uppercased(),
                text.replacing("-", with: "").prefix(20).lowercased(),
            ] {
                let answer = try await alice.get("/admin/accounts?q=\(part)")
                #expect(answer.status == 303 && answer.headers[.location] == place, "\(part): \(answer)")
            }
            let nobody = try await alice.get("/admin/accounts?q=ffffffff-ffff").html.unescaped
            #expect(nobody.contains("no account's ID begins so"), "\(nobody)")
        }
    }

    /// Without a search the page has the newest accounts, and leads to older ones.
    @Test func `The page lists the newest accounts and leads to older ones`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            var players: [String] = []
            for _ in 0...AccountPages.newestRows {
                players.append(try await world.newPlayer().account)
                world.clock.advance(by: 1)
            }
            let alice = try await world.visitor(.read)
            let first = try await alice.get("/admin/accounts").html
            #expect(players.dropFirst().allSatisfy { first.contains("/admin/accounts/\($0)\"") })
            #expect(!first.contains(players[0]))
            let link = try #require(first.firstMatch(of: /href="([^"]*after=[^"#]*)#newest"/)?.output.1)
            let second = try await alice.get(String(link)).html
            #expect(second.contains(players[0]) && !second.contains(players[2]) && !second.contains("Older accounts"))
            #expect(
                second.contains("<a href=\"/admin/accounts#newest\">The newest accounts")
                    && !first.contains(">The newest a"))
            #expect(try await alice.get("/admin/accounts?after=x").status == 400)
        }
    }

    /// From the order to the account in three pages: found, to whom, and done.
    @Test func `A purchase that nobody presented is found and given in the pages`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let bought = try await world.act(
                "purchases",
                [
                    "bundleID": .string(World.app), "productID": .string("\(World.app).tenhints"), "type": "consumable",
                ])
            let order = try #require(bought["orderID"].text)
            let found = try await alice.get("/admin/accounts?q=\(order)")
            #expect(found.status == 200 && found.html.contains("no account presented it"), "\(found.html)")
            #expect(found.html.contains("com.example.hangman.tenhints") && found.html.contains("order \(order)"))
            #expect(found.html.contains("is not restored by StoreKit"), "a consumable: \(found.html)")
            let link = try #require(found.html.firstMatch(of: /href="(\/admin\/purchases\/[^"]*)"/)?.output.1)
            let path = String(link).replacing("&amp;", with: "&")
            let preview = try await alice.get(path).html
            #expect(preview.contains("nobody: no account presented it") && preview.contains("\(World.app).tenhints"))
            let confirmation = try await alice.get("\(path)&to=\(player.account)").html
            #expect(confirmation.unescaped.contains("not be nobody's again"), "\(confirmation)")
            let answer = try await alice.submit("\(path)&to=\(player.account)", [("reason", "ticket 9")])
            #expect(answer.headers[.location] == "/admin/accounts/\(player.account)?done=transfer", "\(answer)")
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
            #expect(try await alice.get("/admin/accounts?q=\(order)").status == 303)
            let reader = try await world.visitor(.read, name: "bob")
            let other = try #require(
                try await world.act(
                    "purchases", ["bundleID": .string(World.app), "productID": "x", "type": "consumable"])["orderID"]
                    .text)
            let read = try await reader.get("/admin/accounts?q=\(other)").html
            #expect(read.contains("no account presented it") && !read.contains("/admin/purchases/"))
        }
    }

    /// An account with more purchases than a report has: older ones are a page away, in the pages and over HTTP.
    @Test func `Older purchases come page by page`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let maximum = AccountReport.maximumEntries
            let context = world.assembly.store.decisions.context
            let account = try #require(AccountID(text: player.account))
            let transactions = (0..<maximum + 3).map { number in
                let id = TransactionID(stored: "\(1_000 + number)")
                return Transaction(
                    id: id, originalID: id, app: BundleID(stored: World.app), environment: .production,
                    productID: ProductID(stored: "\(World.app).tenhints"), productType: .consumable,
                    purchaseDate: World.start + Double(number),
                    revocation: number == maximum ? Transaction.Revocation(date: World.start + 9_000) : nil,
                    signedDate: World.start, isSigned: true)
            }
            let receipt = Receipt(
                id: "r_x", account: account, kind: .signedTransaction, content: "x", digest: Data([1]))
            _ = try await world.ledger.record(
                receipt, .success(VerifiedReceipt(transactions: transactions)), in: context)
            let admin = try await world.newAdmin(.read, name: "bob")
            let path = "/admin/v1/accounts/\(player.account)"
            let first = try await world.call(.get, path, as: admin).json
            #expect(
                first["transactions"].array.count == maximum
                    && first["refunds"] == ["purchases": .integer(maximum), "refunded": 1])
            let next = try #require(first["next"].text)
            let rest = try await world.call(.get, "\(path)?after=\(next)", as: admin).json
            #expect(rest["transactions"].array.map { $0["id"].text ?? "" } == ["1002", "1001", "1000"])
            #expect(rest["next"] == .null)
            #expect(try await world.call(.get, "\(path)?after=x", as: admin).status == 400)
            let page = try await alice.get("/admin/accounts/\(player.account)").html
            #expect(page.contains("of the newest ones") && !page.contains(">1002<"))
            let link = try #require(page.firstMatch(of: /href="([^"]*)">Older purchases/)?.output.1)
            let older = try await alice.get(String(link).unescaped).html
            #expect(older.contains(">1002<") && older.contains("Back to the account") && !older.contains(">1003<"))
        }
    }

    /// The page says in words what became of a purchase.
    @Test func `The page says why nothing was given`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let refunded = try await world.buy("hardwords", "non-consumable")
            _ = try await world.post(refunded.signedTransaction, as: player)
            let refund = try await world.act("transactions/\(refunded.transactionID)/refund")
            _ = try await world.post(try #require(refund["signedTransaction"].text), as: player)
            let hints = try await world.buy("tenhints", "consumable")
            _ = try await world.post(hints.signedTransaction, as: player)
            var parts = hints.signedTransaction.split(separator: ".").map(String.init)
            parts[2] = (parts[2].first == "A" ? "B" : "A") + parts[2].dropFirst()
            _ = try await world.post(parts.joined(separator: "."), as: player)
            let html = try await alice.get("/admin/accounts/\(player.account)").html
            #expect(html.contains("credits: 10 hints"), "\(html)")
            #expect(html.contains("Now: 10 hints (com.example.hangman, Production)."))
            #expect(html.contains(">Refunded</span>") && html.contains("by the App Store"))
            #expect(html.contains(/<details><summary>\d of which the player can use nothing now, and why<\/summary>/))
            #expect(html.contains("Its signature is wrong"), "a receipt that was refused, with its reason")
        }
    }

    @Test func `Credits are given once after a confirmation`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let path = "/admin/accounts/\(player.account)/credits"
            let choice = "\(World.app)/Production/hints".pathEncoded
            let empty = try await alice.get(path)
            #expect(empty.html.contains("hints in com.example.hangman, Production (now 0)"))
            let page = "\(path)?balance=\(choice)&amount=50"
            let confirmation = try await alice.get(page)
            #expect(confirmation.html.contains("0 hints") && confirmation.html.contains("50 hints"))
            #expect(try await audit(world).allSatisfy { $0.kind != "creditsAdjusted" })
            let form = try #require(PageForm(confirmation.html))
            let filled = form.hidden + [("reason", "ticket 7: <b>lost</b>")]
            for _ in 0..<3 {
                let answer = try await alice.post(form.action, filled)
                #expect(
                    answer.status == 303
                        && answer.headers[.location] == "/admin/accounts/\(player.account)?done=credits")
            }
            let rows = try await audit(world).filter { $0.kind == AuditEntry.Kind.creditsAdjusted.rawValue }
            #expect(rows.count == 1 && rows.first?.actor == "admin:alice")
            let after = try await alice.get("/admin/accounts/\(player.account)?done=credits").html
            #expect(
                after.contains("The credits were posted.")
                    && after.contains("Now: 50 hints (com.example.hangman, Production)."))
            #expect(after.contains("ticket 7: &lt;b&gt;lost&lt;/b&gt;") && !after.contains("<b>lost"))
            #expect(after.contains("Credits given or taken back by support"))
            #expect(try await alice.get("/admin/audit").html.contains("admin:alice"))
            for amount in ["0", "x", "", "99999999999999999999"] {
                let wrong = try await alice.get("\(path)?balance=\(choice)&amount=\(amount)")
                #expect(wrong.status == 200 && PageForm(wrong.html)?.action != path, "\(amount)")
            }
            let forged = form.hidden.map { $0.0 == "balance" ? ("balance", "x/Production/hints") : $0 }
            #expect(try await alice.post(path, forged + [("reason", "r")]).status == 400)
            let back = try await alice.submit("\(path)?balance=\(choice)&amount=-20", [("reason", "too many")])
            #expect(back.status == 303)
            #expect(
                try await alice.get("/admin/accounts/\(player.account)").html.contains(
                    "Now: 30 hints (com.example.hangman"))
        }
    }

    /// For each act, its page says what will be, its form does it, the trail has it, and the next page says so.
    @Test func `Acts on the pages are done and audited with a reason`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let place = "/admin/accounts/\(player.account)"
            let sandbox = try await world.buy("tenhints", "consumable", ["environment": "Sandbox"])
            #expect(try await world.post(sandbox.signedTransaction, as: player).status == 200)
            let acts: [(path: String, kind: AuditEntry.Kind, undone: String?)] = [
                ("block", .accountBlocked, "unblock"), ("unblock", .accountUnblocked, "block"),
                ("add-tester", .testerAdded, "remove-tester"), ("remove-tester", .testerRemoved, "add-tester"),
                ("add-beta", .betaAdded, "remove-beta"), ("remove-beta", .betaRemoved, "add-beta"),
                ("end-sessions", .sessionsRevoked, nil),
            ]
            for act in acts {
                #expect(try await alice.get(place).html.contains("\(place)/\(act.path)\""), "\(act.path)")
                let answer = try await alice.submit("\(place)/\(act.path)", [("reason", "ticket \(act.path)")])
                #expect(answer.status == 303 && answer.headers[.location] == "\(place)?done=\(act.path)", "\(answer)")
                let row = try #require(try await audit(world).first)
                #expect(row.kind == act.kind.rawValue && row.actor == "admin:alice", "\(row)")
                #expect(row.content?.contains("ticket \(act.path)") == true)
                let page = try await alice.get("\(place)?done=\(act.path)").html
                #expect(page.contains("class=\"notice good\""))
                let shown = page.replacing(#/ datetime="[^"]*"/#, with: "")
                #expect(shown.firstMatch(of: /\d{4}-\d\d-\d\dT/) == nil, "a time that is no words: \(shown)")
                if let undone = act.undone {
                    #expect(page.contains("\(place)/\(undone)\"") && !page.contains("\(place)/\(act.path)\""))
                    let again = try await alice.get("\(place)/\(act.path)").html
                    #expect(again.contains("There is nothing to do") && PageForm(again) == nil)
                }
            }
            #expect(try await alice.submit("\(place)/reset-sandbox", [("reason", "r")]).status == 303)
            #expect(try await alice.get("\(place)/reset-sandbox").html.contains("There is nothing to do"))
            #expect(try await alice.get("\(place)?done=%3Cb%3E").html.contains("class=\"notice") == false)
            let nobody = "/admin/accounts/\(UUID().uuidString.lowercased())/block"
            #expect(try await alice.get(nobody).status == 404)
        }
    }

    /// It is on the page that answers the form, once, and in no link and no row of the trail.
    @Test func `A new recovery code is shown once`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let path = "/admin/accounts/\(player.account)/recovery-code"
            #expect(try await alice.get("/admin/accounts/\(player.account)").html.contains("\(path)\""))
            let answer = try await alice.submit(path, [("reason", "ticket 7")])
            let code = try #require(answer.html.firstMatch(of: /[0-9A-Z]{4}(-[0-9A-Z]{4}){5}/)?.output.0)
            #expect(answer.status == 200)
            let opened = try await world.call(.post, "/v1/sessions", ["recoveryCode": .string(String(code))])
            #expect(opened.status == 201 && opened.json["account"].text == player.account)
            #expect(try await alice.get("/admin/accounts/\(player.account)").html.contains(code) == false)
            #expect(try await audit(world).allSatisfy { $0.content?.contains(code) != true })
            #expect(try await alice.submit(path, [("reason", " ")]).status == 422)
        }
    }

    /// Each says what is and what will be, with times as everywhere on the pages.
    @Test func `The times of acts are in words on the pages`() async throws {
        try await World.run(environment: World.pagesOn, hasServerKey: true) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let bought = try await world.buy("club.monthly", "auto-renewable", ["period": "P30D"])
            #expect(try await world.post(bought.signedTransaction, as: player).status == 200)
            let extend = "/admin/purchases/Production/\(bought.originalID)/extend?bundleID=\(World.app)&days=7"
            for (path, days) in [("/admin/accounts/\(player.account)/add-tester", [0.0]), (extend, [30, 37])] {
                let html = try await alice.get(path).html
                for day in days {
                    let time = PageTime(World.start + day * 86_400, now: World.start).text
                    #expect(html.contains(time), "\(path): \(html)")
                }
                #expect(!html.contains(/\d{4}-\d\d-\d\dT/), "\(path): \(html)")
            }
        }
    }

    /// The preview says what will be, and whose ID it is already; the search on the page leads to the account.
    @Test func `An external ID is recorded and found on the pages`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.support)
            let (player, other) = (try await world.newPlayer(), try await world.newPlayer())
            let place = "/admin/accounts/\(player.account)"
            #expect(try await alice.get(place).html.contains("\(place)/external-id\""))
            let path = "\(place)/external-id?externalID=%3Cb%3E4711"
            #expect(try await alice.get(path).html.contains("external ID: &lt;b&gt;4711"))
            let done = try await alice.submit(path, [("reason", "ticket 7")])
            #expect(done.status == 303 && done.headers[.location] == "\(place)?done=external-id", "\(done)")
            let page = try await alice.get("\(place)?done=external-id").html
            #expect(page.contains("&lt;b&gt;4711") && page.contains("class=\"notice good\""))
            #expect(try await alice.get("/admin/accounts").html.contains("&lt;b&gt;4711"))
            let found = try await alice.get("/admin/accounts?q=%3Cb%3E4711")
            #expect(found.status == 303 && found.headers[.location] == place, "\(found)")
            let taken = try await alice.get("/admin/accounts/\(other.account)/external-id?externalID=%3Cb%3E4711").html
            #expect(taken.contains("Another account has this ID") && taken.contains("value=\"&lt;b&gt;4711\""))
            // A page shows another character in its place, so that its form would send another ID.
            let turned = try await alice.get("\(place)/external-id?externalID=a%E2%80%AEb").html
            #expect(turned.contains("class=\"notice bad\""))
            #expect(try await alice.submit("\(place)/remove-external-id", [("reason", "r")]).status == 303)
            #expect(try await audit(world).first?.kind == AuditEntry.Kind.externalIDChanged.rawValue)
        }
    }

    @Test func `A note is written and removed on the pages`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.support), try await world.newPlayer())
            let place = "/admin/accounts/\(player.account)"
            #expect(try await alice.get(place).html.contains("\(place)/notes\""))
            let refused = try await alice.submit("\(place)/notes", [("text", String(repeating: "x", count: 501))])
            #expect(refused.status == 422 && refused.html.contains("<h1>Write a note"), "\(refused)")
            let done = try await alice.submit("\(place)/notes", [("text", "<i>kind</i>, called twice")])
            #expect(done.status == 303 && done.headers[.location] == "\(place)?done=note", "\(done)")
            let page = try await alice.get("\(place)?done=note").html
            #expect(page.contains("&lt;i&gt;kind&lt;/i&gt;, called twice") && page.contains("admin:alice"))
            let link = try #require(page.firstMatch(of: /href="([^"]*\/notes\/[^"]*\/remove)"/)?.output.1)
            let removed = try await alice.submit(String(link), [("reason", "settled")])
            #expect(removed.status == 303 && removed.headers[.location] == "\(place)?done=remove-note", "\(removed)")
            #expect(try await alice.get(String(link)).html.contains("There is nothing to do"))
            #expect(try await audit(world).first?.kind == AuditEntry.Kind.noteRemoved.rawValue)
        }
    }

    @Test func `A purchase is transferred in the pages`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            let (owner, other) = (try await world.newPlayer(), try await world.newPlayer())
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.post(bought.signedTransaction, as: owner)
            let page = try await alice.get("/admin/accounts/\(owner.account)").html
            let link = try #require(page.firstMatch(of: /href="(\/admin\/purchases\/[^"]*)"/)?.output.1)
            let path = String(link).replacing("&amp;", with: "&")
            #expect(try await alice.get(path).html.contains(owner.account))
            let wrong = try await alice.get("\(path)&to=\(UUID().uuidString)")
            #expect(wrong.html.contains("There is no account with this ID."))
            let confirmation = "\(path)&to=\(other.account)"
            #expect(try await alice.get(confirmation).html.contains("Owner after it"))
            let answer = try await alice.submit(confirmation, [("reason", "ticket 8")])
            #expect(answer.headers[.location] == "/admin/accounts/\(other.account)?done=transfer", "\(answer)")
            #expect(try await world.entitlement(to: "hardwords", of: other)["access"].text == "granted")
            let old = try await alice.get("/admin/accounts/\(owner.account)").html
            #expect(old.contains(">Transferred</span>") && old.contains(other.account))
            let undo = try #require(old.firstMatch(of: /href="(\/admin\/purchases\/[^"]*\/undo[^"]*)"/)?.output.1)
            let undone = try await alice.submit(String(undo).replacing("&amp;", with: "&"), [("reason", "ticket 9")])
            #expect(undone.headers[.location] == "/admin/accounts/\(owner.account)?done=undo", "\(undone)")
            #expect(try await world.entitlement(to: "hardwords", of: owner)["access"].text == "granted")
            #expect(try await alice.get("/admin/purchases/Production/1/transfer?bundleID=\(World.app)").status == 404)
            #expect(try await alice.get(path.replacing(World.app, with: "other")).status == 404)
        }
    }

    /// The timeline has every row of the account once, newest first, in pages that follow each other.
    @Test func `The timeline of an account is paged`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            let account = try #require(AccountID(text: player.account))
            for _ in 0..<AccountPages.timelineRows { _ = try await world.secondDevice(of: player) }
            let rows = try await world.ledger.newestAuditRows(of: account, before: nil, limit: 1_000)
            #expect(rows.count > AccountPages.timelineRows)
            var (page, seen, path) = (1, 0, "/admin/accounts/\(player.account)")
            while true {
                let html = try await alice.get(path).html
                let events = html.matches(of: /<p class="when">/).count
                if page == 1 { #expect(events == AccountPages.newestTimelineRows) }
                seen += events
                #expect(html.contains("<h2>Purchases</h2>") == (page == 1))
                guard let older = html.firstMatch(of: /href="([^"]*)#timeline">Older events/)?.output.1 else { break }
                (page, path) = (page + 1, String(older))
            }
            #expect(page == 2 && seen == rows.count)
        }
    }

    /// Whatever comes from players, administrators and catalogs is shown as text.
    @Test func `Nothing that is shown on a page is markup`() async throws {
        let evil = "<script>alert(1)</script>\"'><img src=x>"
        let products = try #require(
            String(
                data: JSONEncoder().encode(
                    JSONValue.object([
                        "apps": [
                            [
                                "bundleID": .string(World.app), "appAppleID": .integer(World.appAppleID),
                                "products": [
                                    [
                                        "id": .string("\(World.app).\(evil)"), "type": "consumable",
                                        "credits": .object([evil: 10]), "metadata": ["name": .string(evil)],
                                    ]
                                ],
                            ]
                        ]
                    ])), encoding: .utf8))
        try await World.run(products: products, environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let bought = try await world.buy(evil, "consumable", ["currency": .string("EUR")])
            _ = try await world.post(bought.signedTransaction, as: player)
            let place = "/admin/accounts/\(player.account)"
            #expect(try await alice.submit("\(place)/add-beta", [("reason", evil)]).status == 303)
            let choice = [World.app, "Production", evil].map(\.pathEncoded).joined(separator: "/").pathEncoded
            let pages = [
                "/admin", place, "/admin/products", "/admin/audit", "/admin/accounts?q=\(evil.pathEncoded)",
                "/admin/store",
                "/admin/accounts?transaction=\(evil.pathEncoded)", "\(place)?done=\(evil.pathEncoded)",
                "\(place)/credits", "\(place)/credits?balance=\(choice)&amount=3",
                "\(place)/credits?balance=\(evil.pathEncoded)&amount=\(evil.pathEncoded)",
                "/admin/audit?account=\(evil.pathEncoded)", "/admin/receipts?after=\(evil.pathEncoded)",
                "/admin/purchases/Production/\(bought.originalID)/transfer?bundleID=\(World.app)&to=\(evil.pathEncoded)",
                "/admin/sign-in?next=\(evil.pathEncoded)",
            ]
            for path in pages {
                let html = try await alice.get(path).html
                #expect(!html.contains("<script") && !html.contains("<img"), "\(path)")
            }
            let html = try await alice.get(place).html
            #expect(html.contains("&lt;script&gt;alert(1)&lt;/script&gt;"), "it is shown")
        }
    }

    /// The lists of everybody's receipts and deliveries.
    @Test func `Operators see whose receipts and deliveries wait`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.read), try await world.newPlayer())
            #expect(try await alice.get("/admin").html.contains("All is well"))
            let bought = try await world.buy("hardwords", "non-consumable")
            _ = try await world.act("faults", ["http": 503])
            let waiting = try await world.post(bought.transactionReceipt, as: player)
            #expect(waiting.status == 202, "\(waiting)")
            let receipts = try await alice.get("/admin/receipts").html
            #expect(receipts.contains(player.account) && receipts.contains(">Waits</span>"))
            let overview = try await alice.get("/admin").html
            #expect(!overview.contains("All is well") && overview.contains("Receipts waiting for the App Store"))
            try await world.endFaults()
            _ = try await world.post(bought.signedTransaction, as: player)
            world.clock.advance(by: 25 * 3_600)
            let later = try await world.visitor(.read, name: "bob")
            #expect(try await later.get("/admin/deliveries").html.contains("hard-words"))
            #expect(try await later.get("/admin/deliveries?olderThan=x").status == 400)
            #expect(try await later.get("/admin/receipts?status=rejected").status == 200)
            let refreshing = try await later.get("/admin?refresh=on")
            #expect(refreshing.headers[HTTPField.Name("Refresh")!] == "\(OverviewPage.refresh)")
        }
    }

    /// A session can be ended by another administrator.
    @Test func `An administrator ends the session of another with a reason`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            world.clock.advance(by: 1)
            let bob = try await world.visitor(.read, name: "bob")
            let page = try await alice.get("/admin/tokens").html
            let id = try #require(page.firstMatch(of: /<option value="([0-9a-f]{64})">bob,/)?.output.1)
            let silent = try await alice.submit("/admin/tokens", [("session", String(id)), ("reason", " ")])
            #expect(silent.status == 422 && silent.html.contains("A reason is required"))
            #expect(try await bob.get("/admin").status == 200)
            for _ in 1...2 {
                let ended = try await alice.submit("/admin/tokens", [("session", String(id)), ("reason", "left us")])
                #expect(ended.status == 303)
            }
            let rows = try await world.ledger.newestAuditRows(of: nil, before: nil, limit: 9)
                .filter { $0.kind == "adminSession.ended" }
            #expect(rows.count == 1 && rows.first?.subject == "bob" && rows.first?.actor == "admin:alice")
            #expect(rows.first?.content?.contains(#""reason":"left us""#) == true, "\(rows)")
            #expect(try await bob.get("/admin").status == 303)
            #expect(try await alice.get("/admin/tokens").html.contains(">from "))
        }
    }

    @Test func `Wrong parameters are explained on a page`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.read)
            for path in [
                "audit?before=x", "audit?account=x", "receipts?after=x", "accounts/x", "deliveries?olderThan=-1",
            ] {
                let answer = try await alice.get("/admin/\(path)")
                #expect(answer.status == 400 && answer.html.contains("class=\"notice bad\""), "\(path): \(answer)")
            }
        }
    }

    /// Times in words.
    static let times: [(ago: TimeInterval, distance: String)] = [
        (0, "now"), (59, "now"), (60, "1 minute ago"), (3_599, "59 minutes ago"), (3_600, "1 hour ago"),
        (86_399, "23 hours ago"), (2 * 86_400, "2 days ago"), (366 * 86_400, "1 year ago"), (-7_200, "in 2 hours"),
    ]

    @Test(arguments: times) func `Times are described by their distance from now`(ago: TimeInterval, distance: String) {
        let now = Date(timeIntervalSince1970: 1_795_000_000)
        #expect(PageTime(now.addingTimeInterval(-ago), now: now).distance == distance)
    }

    @Test func `Times are written with the right day of the week`() throws {
        for (text, words) in [
            ("1970-01-01T00:00:00Z", "Thu 1 Jan 1970, 00:00 UTC"),
            ("2026-11-17T14:05:59Z", "Tue 17 Nov 2026, 14:05 UTC"),
            ("2000-02-29T23:59:00Z", "Tue 29 Feb 2000, 23:59 UTC"),
            ("1969-12-31T23:00:00Z", "Wed 31 Dec 1969, 23:00 UTC"),
        ] {
            let date = try #require(Date(rfc3339: text))
            #expect(PageTime(date, now: date).text == words)
        }
    }

    /// The day of UTC is named where it is another.
    @Test func `Times in a time zone have UTC beside`() throws {
        for (zone, text, words) in [
            ("Europe/Berlin", "2026-11-17T14:05:59Z", "Tue 17 Nov 2026, 15:05 (14:05 UTC)"),
            ("Europe/Berlin", "2026-07-01T22:30:00Z", "Thu 2 Jul 2026, 00:30 (Wed 22:30 UTC)"),
            ("America/Los_Angeles", "2027-01-01T01:00:00Z", "Thu 31 Dec 2026, 17:00 (Fri 01:00 UTC)"),
        ] {
            let (date, zone) = (try #require(Date(rfc3339: text)), try #require(TimeZone(identifier: zone)))
            #expect(PageTime(date, now: date, in: zone).text == words)
        }
    }

    @Test func `Every kind of audit row has a title in words`() {
        for kind in AuditEntry.Kind.allCases { #expect(kind.words.title != kind.rawValue, "\(kind)") }
    }
}
