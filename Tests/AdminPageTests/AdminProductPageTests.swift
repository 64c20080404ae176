import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// Products are viewed, changed, added, taken off sale and removed in the pages.
@Suite struct AdminProductPageTests {
    private static let ten = "/admin/products/\(World.app)/\(World.app).tenhints"
    private static let hard = "/admin/products/\(World.app)/\(World.app).hardwords"
    private static let new = "/admin/apps/\(World.app)/new-product"

    private static func productIDs(_ world: World) async throws -> [JSONValue] {
        try await world.productList().json["productIDs"].array
    }

    @Test func `Every product is listed with whether it is on sale`() async throws {
        let products = SampleCatalog.text(
            SampleCatalog.hints,
            "{\"id\": \"soon\", \"type\": \"consumable\", \"availableFrom\": \"2027-01-01T00:00:00Z\"}",
            "{\"id\": \"<b>&\\\"'\", \"type\": \"consumable\", \"availableUntil\": \"2026-01-01T00:00:00Z\", "
                + "\"metadata\": {\"x\": \"<script>\"}}")
        try await World.run(products: products, environment: World.pagesOn) { world in
            let bob = try await world.visitor(.read)
            let html = try await bob.get("/admin/products").html
            #expect(html.contains("3 products") && html.contains("10 hints"), "\(html)")
            #expect(html.contains("On sale") && html.contains("Not yet") && html.contains("from Fri 1 Jan 2027"))
            #expect(html.contains("Off sale") && html.contains("&lt;b&gt;&amp;") && !html.contains("<b>"))
            let page = try await bob.get("/admin/products/\(World.app)/%3Cb%3E%26%22%27")
            #expect(page.status == 200 && page.html.contains("&lt;script&gt;") && page.html.contains("Terms"))
            for path in ["/admin/products?app=x", "/admin/products/\(World.app)/x", "/admin/products/x/soon"] {
                #expect(try await bob.get(path).status == 404, "\(path)")
            }
        }
    }

    /// People read names; the ID stands beneath.
    @Test func `A product is shown by its name, which its form changes`() async throws {
        let title = "{\"title\": {\"de\": \"Zehn\", \"en\": \"Ten of them\"}}"
        let products = SampleCatalog.text(
            "{\"id\": \"ten\", \"type\": \"consumable\", \"metadata\": \(title)}",
            "{\"id\": \"club\", \"type\": \"auto-renewable\", \"name\": {\"de\": \"Verein\"}}",
            "{\"id\": \"plain\", \"type\": \"non-consumable\"}")
        try await World.run(products: products, environment: World.pagesOn) { world in
            let (alice, player) = (try await world.visitor(.write), try await world.newPlayer())
            let list = try await alice.get("/admin/products").html
            #expect(list.contains(">Ten of them</a> <code class=\"beneath\">ten</code>"), "\(list)")
            #expect(list.contains(">Verein</a> <code class=\"beneath\">club</code>"))
            #expect(list.contains(">plain</a>") && !list.contains("\"beneath\">plain"))
            let path = "/admin/products/\(World.app)/club"
            let form = try await alice.form(
                "\(path)/edit", [("member-name-1-name", "en"), ("member-name-1-text", "Gold Club")])
            #expect(try await alice.send(formOf: alice.send(form)).status == 303)
            let page = try await alice.get(path).html
            #expect(page.contains("<h1>Gold Club</h1>") && page.contains("<code>club</code>"), "\(page)")
            let sold = try await world.productList().json["products"].array
            #expect(sold.map { $0["name"] } == [.null, ["de": "Verein", "en": "Gold Club"], .null], "\(sold)")
            let grant = "\(World.app)/Production/club".pathEncoded
            let giving = "/admin/accounts/\(player.account)/grant?product=\(grant)"
            for path in [giving, "/admin/apps/\(World.app)/preview"] {
                let html = try await alice.get(path).html
                #expect(html.contains("Gold Club"), "\(path): \(html)")
            }
        }
    }

    @Test func `A long list of products has pages`() async throws {
        let products = (0..<80).map { "{\"id\": \"p\($0).\", \"type\": \"consumable\"}" }
        let text = "{\"apps\": [{\"bundleID\": \"a\", \"products\": [\(products.joined(separator: ", "))]}]}"
        try await World.run(products: text, environment: World.pagesOn) { world in
            let bob = try await world.visitor(.read)
            let (first, second) = (
                try await bob.get("/admin/products").html, try await bob.get("/admin/products?app=a&from=50").html
            )
            #expect(first.contains(">p49.<") && !first.contains(">p50.<") && first.contains("app=a&amp;from=50"))
            #expect(second.contains(">p50.<") && second.contains(">p79.<") && !second.contains("from=1"))
            #expect(try await bob.get("/admin/products?from=x").status == 400)
        }
    }

    /// The difference is shown first; nothing is changed before it is saved.
    @Test func `A product is changed after showing the difference`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, before) = (try await world.visitor(.write), try world.catalogText)
            var form = try await alice.form("\(Self.ten)/edit", [("member-credits", "hints 12\r\ncoins 3")])
            #expect(form["member-ownership"] == "" && form["member-redownloadHours"] == "")
            try form.fill("member-partialRefund", "revoke")
            let review = try await alice.send(form)
            #expect(
                review.status == 200
                    && review.changes == [
                        ["Credits: hints", "10", "12"], ["Credits: coins", "–", "3"],
                        ["After a refund of a part of the price", "–", "Access ends"],
                    ], "\(review.html)")
            #expect(try world.catalogText == before)
            let saved = try await alice.send(formOf: review)
            #expect(saved.status == 303 && saved.headers[.location] == "\(Self.ten)?done=saved", "\(saved.html)")
            let entry =
                "{\"id\": \"com.example.hangman.tenhints\", \"type\": \"consumable\", \"credits\": {\"hints\": 10}}"
            #expect(
                try world.catalogText
                    == before.replacing(
                        entry,
                        with: entry.replacing("10}}", with: "12, \"coins\": 3}, \"partialRefund\": \"revoke\"}")))
            let row = try #require(try await world.catalogRows().last)
            #expect(
                row.kind == "product.changed" && row.actor == "admin:alice"
                    && row.json["after"]["credits"]["coins"] == 3)
            #expect(try await alice.get("\(Self.ten)?done=saved").html.contains("The product was changed."))
            let again = try await alice.send(form)
            #expect(again.status == 412, "the form of before is stale")
        }
    }

    /// A value that a form does not show, or that nobody touches, stays byte for byte.
    @Test(arguments: [
        "{\"id\": \"a\", \"type\": \"consumable\", \"credits\": {\"hints\": 10.0, \"a b\": 1}, \"level\": 1e0}",
        "{\"id\": \"a\", \"type\": \"non-renewing\", \"duration\": \"P1M\", \"group\": \"12\", \"metadata\": {\"n\": 1.50}}",
        "{\"id\": \"a\", \"type\": \"auto-renewable\", \"group\": \" x \", \"renewalLeewayMinutes\": 7, \"level\": 2}",
        "{\"id\": \"a\", \"type\": \"consumable\", \"metadata\": {\"s\": \"\\u00e9 \\u202E \u{202E} \\\\ \\\" \\n\", \"o\": {}}}",
        "{\"id\": \"a\", \"type\": \"consumable\", \"platforms\": [\"iOS\", \"macos\"], \"storefronts\": [], \"credits\": {}}",
        "{\"id\": \"a\", \"type\": \"consumable\", \"bundles\": [\"hard-words\", \"ios-words\"], \"metadata\": null}",
        "{\"id\": \"a\", \"type\": \"consumable\", \"name\": {\"en\": \"Ten  hints\", \"zh-Hant\": \"十\"}}",
        "{\"id\": \"a\", \"type\": \"consumable\", \"name\": {\"en\": \" Ten hints\"}}",
    ])
    func `A product's form that is sent unchanged changes nothing`(entry: String) async throws {
        let text = "{\"apps\": [{\"bundleID\": \"a\", \"products\": [\(entry)]}]}"
        try await World.run(products: text, environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            for path in ["/admin/products/a/a/edit", "/admin/products/a/a/edit?as=json"] {
                let review = try await alice.send(alice.form(path))
                #expect(review.status == 200 && review.html.contains("There is nothing to do"), "\(review.html)")
            }
            let review = try await alice.send(
                alice.form("/admin/products/a/a/edit", [("member-minimumAppVersion", "1.2")]))
            #expect(try await alice.send(formOf: review).status == 303)
            #expect(try world.catalogText == text.replacing("}]}]}", with: ", \"minimumAppVersion\": \"1.2\"}]}]}"))
        }
    }

    @Test func `A mistake in a product's form is shown at its field with what was filled in`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, before) = (try await world.visitor(.write), try world.catalogText)
            let amounts = "Write a currency and a whole number from 1 on each line, such as hints 10."
            let time = "Write date and time such as 2026-12-01 00:00, in UTC."
            let mistakes: [(String, String, String)] = [
                ("credits", "hints many", amounts), ("credits", "hints 0", amounts),
                ("availableFrom", "tomorrow", time),
                ("bundles", "nothing", "There is no bundle \"nothing\"."),
                ("redownloadHours", "<b>", "This does not fit."), ("redownloadHours", "0", ""),
                ("storefronts", "DE", "Write each country in three letters, such as DEU."),
                ("metadata-0-name", "title", ""),
            ]
            for (name, value, words) in mistakes {
                let answer = try await alice.send(alice.form("\(Self.ten)/edit", [("member-\(name)", value)]))
                let field = name == "metadata-0-name" ? "metadata-0-text" : name
                #expect(answer.status == 422 && answer.mistakes.map(\.field) == ["member-\(field)"], "\(answer.html)")
                #expect(answer.mistakes.first?.words.hasPrefix(words) == true, "\(answer.mistakes)")
                #expect(try FilledForm(answer.html)["member-\(name)"] == value)
            }
            let dates = [("member-availableFrom", "2026-12-02T00:00"), ("member-availableUntil", "2026-12-01T00:00")]
            let order = try await alice.send(alice.form("\(Self.ten)/edit", dates))
            #expect(order.mistakes.map(\.words) == ["The end must be after the beginning."], "\(order.html)")
            for text in ["{\"type\":", "{\"id\": \"other\", \"type\": \"consumable\"}"] {
                let answer = try await alice.send(alice.form("\(Self.ten)/edit?as=json", [("entry", text)]))
                #expect(answer.status == 422 && answer.mistakes.map(\.field) == ["entry"], "\(text)")
                #expect(try FilledForm(answer.html)["entry"] == text)
            }
            #expect(try world.catalogText == before)
        }
    }

    /// Dates, offers and texts are fields; what does not fit the type is left out.
    @Test func `A subscription is filled in without JSON`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            let filled = [
                ("id", "yearly"), ("member-availableFrom", "2026-12-01T08:00"), ("member-group", "club"),
                ("member-level", "1"), ("member-offers-0-id", "winter"), ("member-offers-0-for", "lapsed"),
                ("member-offers-0-once", "true"), ("member-offers-1-id", "upgrade"),
                ("member-metadata-0-name", "title"),
                ("member-metadata-0-language", "en"), ("member-metadata-0-text", "A year"),
                ("member-metadata-1-name", "colour"), ("member-metadata-1-text", "red"),
            ]
            let review = try await alice.send(alice.form("\(Self.new)?type=auto-renewable", filled))
            #expect(review.changes.contains(["On sale from", "Tue 1 Dec 2026, 08:00 UTC"]), "\(review.changes)")
            #expect(try await alice.send(formOf: review).status == 303, "\(review.html)")
            let entry = try await world.call(.get, World.productPath("yearly"), as: world.newAdmin(name: "carol")).json
            #expect(
                entry == [
                    "id": "yearly", "type": "auto-renewable", "availableFrom": "2026-12-01T08:00:00Z", "group": "club",
                    "level": 1, "offers": [["id": "winter", "for": "lapsed", "once": true], ["id": "upgrade"]],
                    "metadata": ["title": ["en": "A year"], "colour": "red"],
                ], "\(entry)")
            let page = try await alice.get("/admin/products/\(World.app)/yearly").html.unescaped
            let offers =
                "Offer ID: winter; Who may have it: Those whose subscription is over; Each customer only once: Yes"
            #expect(
                page.contains("\(offers); then Offer ID: upgrade<") && page.contains("Texts for the app: title: en<"))
            #expect(page.contains("<summary>Show the JSON</summary>"), "\(page)")
            let path = "/admin/products/\(World.app)/yearly/edit"
            #expect(try await alice.send(alice.form(path)).html.contains("There is nothing to do"))
            let twice = try await alice.send(alice.form(path, [("member-offers-2-id", "winter")]))
            #expect(twice.mistakes.map(\.field) == ["member-offers-2-id"], "\(twice.html)")
            let labels = try await alice.get("\(Self.hard)/edit").html
            for name in ["level", "group", "offers-0-id", "trialCredits", "afterExpiry", "duration"] {
                #expect(!labels.contains("name=\"member-\(name)\""), "\(name)")
            }
            #expect(!labels.contains(">partialRefund<") && labels.contains("type=\"datetime-local\""))
        }
    }

    /// When two change a product at the same time the second sees both, and may insist.
    @Test func `A conflict of two edits of a product shows both`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let (alice, bob) = (try await world.visitor(.write), try await world.visitor(.write, name: "bob"))
            let form = try await bob.form("\(Self.ten)/edit", [("member-credits", "hints 13")])
            let review = try await bob.send(form)
            let first = try await alice.send(alice.form("\(Self.ten)/edit", [("member-credits", "hints 11")]))
            #expect(try await alice.send(formOf: first).status == 303)
            let conflict = try await bob.send(formOf: review)
            #expect(
                conflict.status == 412 && conflict.html.contains("Somebody else changed the catalog"), "\(conflict)")
            #expect(
                conflict.changes == [["Credits: hints", "10", "11"], ["Credits: hints", "11", "13"]],
                "\(conflict.changes)")
            #expect(try await world.catalogRows().count == 1)
            #expect(try await bob.send(formOf: conflict).status == 303)
            #expect(try await world.catalogRows().last?.json["before"]["credits"]["hints"] == 11)
            // Another product's change is shown, too, but not as one of this product.
            let stale = try await bob.send(bob.form("\(Self.ten)/edit", [("member-credits", "hints 14")]))
            let other = try await alice.send(alice.form("\(Self.hard)/edit", [("member-minimumAppVersion", "2.0")]))
            #expect(try await alice.send(formOf: other).status == 303)
            let reported = try await bob.send(formOf: stale)
            #expect(reported.status == 412 && reported.html.contains("Other entries; this one is as you saw it."))
            #expect(try await bob.send(formOf: reported).status == 303)
        }
    }

    @Test func `A product is taken off sale and put back`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            let before = try await Self.productIDs(world)
            #expect(try await alice.get(Self.hard).html.contains("Take off sale"))
            let review = try await alice.get("\(Self.hard)/off-sale")
            let now = PageTime(world.clock.now, now: world.clock.now).text
            #expect(review.changes == [["On sale until", "–", now]], "\(review.changes)")
            #expect(try await Self.productIDs(world) == before)
            #expect(try await alice.send(formOf: review).status == 303)
            #expect(try await Self.productIDs(world) == before.filter { $0 != .string("\(World.app).hardwords") })
            let page = try await alice.get(Self.hard).html
            #expect(page.contains("Off sale") && page.contains("Put on sale again") && !page.contains("Take off sale"))
            #expect(try await alice.send(formOf: alice.get("\(Self.hard)/on-sale")).status == 303)
            #expect(try await Self.productIDs(world) == before)
            #expect(try world.catalogText == Project.products)
        }
    }

    @Test func `A product is added by its type and removed`() async throws {
        try await World.run(environment: World.pagesOn) { world in
            let alice = try await world.visitor(.write)
            #expect(try await alice.get(Self.new).html.contains("<option value=\"auto-renewable\">"))
            let page = "\(Self.new)?type=non-renewing"
            let without = try await alice.send(alice.form(page, [("id", "week")]))
            #expect(without.status == 422 && without.mistakes.map(\.words) == ["Fill this in."], "\(without.html)")
            let review = try await alice.send(
                alice.form(
                    page, [("id", "week"), ("member-duration", "P7D"), ("member-bundles", "hard-words\r\nios-words")]))
            #expect(review.html.contains("Add it") && review.changes.contains(["Duration", "P7D"]), "\(review.html)")
            let saved = try await alice.send(formOf: review)
            #expect(saved.headers[.location] == "/admin/products/\(World.app)/week?done=added", "\(saved.html)")
            let entry = try await world.call(.get, World.productPath("week"), as: world.newAdmin(name: "carol")).json
            #expect(
                entry == [
                    "id": "week", "type": "non-renewing", "duration": "P7D", "bundles": ["hard-words", "ios-words"],
                ])
            #expect(try await alice.send(formOf: review).status == 412, "it is there already")
            let json = "{\"id\": \"other\", \"type\": \"consumable\"}"
            let second = try await alice.send(alice.form("\(page)&as=json", [("entry", json)]))
            #expect(try await alice.send(formOf: second).headers[.location]?.hasSuffix("/other?done=added") == true)

            let removal = try await alice.get("/admin/products/\(World.app)/week/remove")
            #expect(removal.changes.contains(["Duration", "P7D"]) && removal.html.contains("Whoever has it keeps it"))
            let stale = try await alice.send(alice.form("\(Self.ten)/edit", [("member-credits", "hints 1")]))
            #expect(try await alice.send(formOf: stale).status == 303)
            let late = try await alice.send(formOf: removal)
            #expect(late.status == 412 && late.html.contains("changed meanwhile"))
            #expect(try await alice.send(formOf: late).headers[.location] == "/admin/products?app=\(World.app)")
            #expect(try await Self.productIDs(world).contains("week") == false)
            #expect(
                try await world.catalogRows().map(\.kind) == [
                    "product.added", "product.added", "product.changed", "product.removed",
                ])
        }
    }

    @Test func `The preview shows what an app is offered`() async throws {
        let soon =
            "{\"id\": \"soon\", \"type\": \"consumable\", \"availableFrom\": \"2027-01-01T00:00:00Z\", \"storefronts\": [\"DEU\"], \"bundles\": [\"hard-words\"]}"
        try await World.run(
            products: SampleCatalog.text(SampleCatalog.hints, soon), environment: World.pagesOn
        ) { world in
            let bob = try await world.visitor(.read)
            let path = "/admin/apps/\(World.app)/preview"
            let now = try await bob.get("\(path)?appVersion=&platform=&storefront=&bucket=&at=")
            #expect(
                now.status == 200 && now.html.contains(">com.example.hangman.tenhints</a>")
                    && !now.html.contains(">soon</a>"))
            let later = try await bob.get("\(path)?at=2027-02-01T00:00:00Z&storefront=deu").html
            #expect(
                later.contains(">soon</a>") && later.contains("hard-words 1.0.0, ") && later.contains("value=\"deu\""),
                "\(later)")
            #expect(try await !bob.get("\(path)?at=2027-02-01T00:00:00Z&storefront=FRA").html.contains(">soon</a>"))
            let typed = try await bob.get("\(path)?at=2027-02-01T00:00").html
            #expect(typed.contains(">soon</a>") && typed.contains("value=\"2027-02-01T00:00\""), "\(typed)")
            for query in ["at=x", "bucket=100"] { #expect(try await bob.get("\(path)?\(query)").status == 400) }
            #expect(try await bob.get("/admin/apps/x/preview").status == 404)
        }
    }

    /// A catalog in the database has revisions, and a way back.
    @Test func `A catalog in the database is rolled back`() async throws {
        let environment = World.pagesOn.merging(["QUARTERMASTER_CATALOG": "database"]) { $1 }
        try await World.run(environment: environment) { world in
            let alice = try await world.visitor(.write)
            let before = try await world.productList().json
            let review = try await alice.send(alice.form("\(Self.ten)/edit", [("member-credits", "hints 12")]))
            #expect(try await alice.send(formOf: review).status == 303)
            let removal = try await alice.get("\(Self.hard)/remove")
            #expect(try await alice.send(formOf: removal).status == 303)
            let list = try await alice.get("/admin/catalog").html
            #expect(list.contains("Revision 3") && list.contains("admin:alice") && list.contains("the server"))
            let page = try await alice.get("/admin/catalog/1")
            #expect(
                page.html.contains("+ </span>com.example.hangman.hardwords of com.example.hangman</ins>"),
                "\(page.html)")
            #expect(page.html.contains("com.example.hangman.tenhints of com.example.hangman changes"))
            #expect(try await alice.get("/admin/catalog/3").html.contains("It is served now."))
            let reader = try await world.visitor(.read, name: "bob")
            #expect(try await !reader.get("/admin/catalog/1").html.contains("Roll back to it"))
            #expect(try await alice.send(formOf: page).headers[.location] == "/admin/catalog?done=back")
            #expect(try await world.productList().json == before)
            #expect(try await world.ledger.catalogHistory(before: nil, limit: 9).map(\.number) == [4, 3, 2, 1])
            #expect(try await alice.send(formOf: page).status == 412, "the newest is another one by now")
            for path in ["/admin/catalog/9", "/admin/catalog/x"] { #expect(try await alice.get(path).status == 404) }
        }
    }

    /// A long history continues after its first page.
    @Test func `The history of the catalog is paged`() async throws {
        let environment = World.pagesOn.merging(["QUARTERMASTER_CATALOG": "database"]) { $1 }
        try await World.run(environment: environment) { world in
            let alice = try await world.visitor(.read)
            let served = try #require(try await world.ledger.catalogRevision(1))
            for number in 1...51 {
                _ = try await world.ledger.addCatalogRevision(
                    served.text, after: number, AuditEntry(.catalogReplaced, subject: "\(number)", at: World.start))
            }
            let first = try await alice.get("/admin/catalog").html
            #expect(first.contains("Revision 52<") && first.contains("Revision 3<") && !first.contains("Revision 2<"))
            #expect(!first.contains("The newest ones"))
            let link = try #require(first.firstMatch(of: /href="([^"]*)">Older ones/)?.output.1)
            let second = try await alice.get(String(link).unescaped).html
            #expect(second.contains("Revision 2<") && second.contains("Revision 1<") && !second.contains("Revision 3<"))
            #expect(second.contains("<a href=\"/admin/catalog\">The newest ones") && !second.contains("Older ones"))
        }
    }

    /// The form has every setting that a handler reads, and no other.
    @Test(arguments: [
        "{\"id\": \"a\", \"type\": \"consumable\", \"redownloadHours\": 1, \"partialRefund\": \"keep\"}",
        "{\"id\": \"a\", \"type\": \"non-consumable\", \"partialRefund\": \"keep\"}",
        "{\"id\": \"a\", \"type\": \"non-renewing\", \"duration\": \"P1M\"}",
        "{\"id\": \"a\", \"type\": \"auto-renewable\", \"renewalLeewayMinutes\": 5}",
    ])
    func `The form of a product type has the settings of its handler`(entry: String) throws {
        let product = try ProductEntry(Data(entry.utf8), id: nil, bundles: [], handlers: Server.standardHandlers)
            .product
        let read = Mirror(reflecting: product.handler).children.compactMap(\.label)
        let common: Set<String> = ["bundles", "group", "level", "credits"]
        #expect(Set(read).subtracting(common) == Set(type(of: product.handler).settings.map(\.name)))
        let form = try EntryFields(ofProduct: Data(entry.utf8), handlers: Server.standardHandlers, bundles: [])
        let names = form.fields().map(\.id)
        #expect(
            form.fields().allSatisfy { $0.label.contains(" ") || !$0.label.dropFirst().contains(where: \.isUppercase) })
        for name in type(of: product.handler).settings.map(\.name) { #expect(names.contains("field-member-\(name)")) }
    }

    @Test func `A shown difference has each line of both texts in order`() throws {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let texts = (0..<2).map { _ in
                (0..<Int.random(in: 0...6, using: &generator)).map { _ in Int.random(in: 0...3, using: &generator) }
            }
            let json = texts.map { Data("\($0)".utf8) }
            let lines = DifferenceLine.lines(from: json[0], to: json[1])
            let (before, after) = (lines.compactMap { $0.removed ?? $0.same }, lines.compactMap { $0.added ?? $0.same })
            let entries = json.map { $0.entryLines.split(separator: "\n").map(String.init) }
            // A line of both is that of the new entry, where another comma may be.
            #expect(before.map { $0.filter { $0 != "," } } == entries[0].map { $0.filter { $0 != "," } })
            #expect(after == entries[1])
        }
        #expect(DifferenceLine.lines(from: nil, to: Data("{}".utf8)).count == 1)
    }

    /// As everybody writes differences: what goes before what comes, and nothing is marked for a comma.
    @Test func `A shown difference marks what changed and nothing else`() {
        let lines = DifferenceLine.lines(
            from: Data(#"{"id": "a", "credits": {"hints": 10}, "gone": 1}"#.utf8),
            to: Data(#"{"id": "a", "credits": {"hints": 12, "coins": 3}}"#.utf8))
        let marked = lines.map { $0.removed.map { "-\($0)" } ?? $0.added.map { "+\($0)" } ?? " \($0.same ?? "")" }
        #expect(
            marked == [
                " {", #"   "id": "a","#, #"   "credits": {"#, #"-    "hints": 10"#, #"+    "hints": 12,"#,
                #"+    "coins": 3"#, "   }", #"-  "gone": 1"#, " }",
            ])
        let added = DifferenceLine.lines(from: Data(#"{"id": "a"}"#.utf8), to: Data(#"{"id": "a", "b": 1}"#.utf8))
        #expect(added.compactMap(\.removed) == [] && added.compactMap(\.added) == [#"  "b": 1"#])
    }

    @Test func `Sizes are written in words`() {
        let sizes = [
            (0, "0 bytes"), (999, "999 bytes"), (1_000, "1 kB"), (1_550, "1.5 kB"), (2_000_000, "2 MB"),
            (Int.max, "9223372 TB"),
        ]
        for (size, text) in sizes { #expect(size.sizeText == text) }
    }
}
