import Foundation
import InAppPurchase
import Ledger
import Synchronization
import TestSupport
import Testing

@testable import LedgerSQL

/// Access without a purchase, which an administrator gives.
@Suite struct GrantTests {
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    /// Like a purchase of the product, but without its credits; nothing else in the ledger changes.
    @Test(arguments: LedgerKind.allCases)
    func `A grant gives access and changes nothing else`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let untouched = { (rows: [String]) in
            rows.filter { row in !["productGrants ", "terms ", "audit "].contains { row.hasPrefix($0) } }
        }
        let before = untouched(try await ledger.everything())
        #expect(try await ledger.give("starter") == "g_1")
        #expect(try await ledger.give("club.month", id: "g_2", key: "l") == "g_2")
        #expect(
            try await ledger.holdings(of: 1) == """
                = hangman club.month auto-renewable granted
                = hangman starter non-consumable granted [starter]
                """)
        #expect(try await ledger.holdings(of: 2) == "")
        #expect(try await ledger.takeBack() == today)
        #expect(try await ledger.takeBack(on: day(101)) == today)
        #expect(try await ledger.holdings(of: 1) == "= hangman club.month auto-renewable granted")
        #expect(untouched(try await ledger.everything()) == before)
        #expect(try await ledger.differences() == [])
    }

    @Test(arguments: LedgerKind.allCases) func `A grant ends at its time`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.give("night", until: day(120))
        let granted = "= hangman night non-renewing granted until \(day(120).rfc3339) [night-theme]"
        #expect(try await ledger.holdings(of: 1) == granted)
        #expect(try await ledger.holdings(of: 1, on: day(120) - 0.001) == granted)
        #expect(try await ledger.holdings(of: 1, on: day(120)) == "")
    }

    /// Beside a subscription that runs until day 120.
    @Test(arguments: LedgerKind.allCases)
    func `Of a grant and a subscription, the later end of access counts`(kind: LedgerKind) async throws {
        let ends: [(end: Date?, on: Date, access: String, isGiven: Bool)] = [
            (day(110), today, "granted until \(day(120).rfc3339)", false),
            (day(120), today, "granted until \(day(120).rfc3339)", false),
            (day(130), today, "granted until \(day(130).rfc3339)", true), (nil, today, "granted", true),
            (day(130), day(125), "granted until \(day(130).rfc3339)", true),
            (day(130), day(130), "denied expired", false), (day(110), day(121), "denied expired", false),
        ]
        for (end, date, access, isGiven) in ends {
            let ledger = try await open(kind)
            try await ledger.record(receipt("a"), bought("club.month", "1", until: day(120)))
            try await ledger.give("club.month", until: end)
            let found = try await ledger.ledger.entitlements(of: account(1), in: ledger.context(on: date))
            #expect(found.map(\.access.text) == [access] && found[0].isGivenBySupport == isGiven, "\(found)")
            #expect(found[0].purchase != nil && found[0].subscription != nil, "what was bought is told")
            #expect((found[0].accessByPurchases != nil) == isGiven)
        }
    }

    /// The last of several counts, whatever their order; each is taken back by itself.
    @Test(arguments: LedgerKind.allCases)
    func `Of several grants of one product the latest end counts`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        for (id, end) in [("g_1", day(110)), ("g_3", day(130)), ("g_2", day(120))] {
            try await ledger.give("words", id: id, until: end, key: id)
        }
        let ends = { (end: Date) in "= hangman words non-consumable granted until \(end.rfc3339) [hard-words]" }
        #expect(try await ledger.holdings(of: 1) == ends(day(130)))
        try await ledger.takeBack("g_3")
        #expect(try await ledger.holdings(of: 1) == ends(day(120)))
        try await ledger.takeBack("g_1")
        #expect(try await ledger.holdings(of: 1) == ends(day(120)))
    }

    /// Also where the purchases are read one by one, and in the answer to a receipt.
    @Test(arguments: LedgerKind.allCases)
    func `Every answer about entitlements includes grants`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.give("words")
        let words = "= hangman words non-consumable granted [hard-words]"
        let answer = try await ledger.record(receipt("a"), bought("hints", "1"))
        #expect(answer.contains("1 hints: delivered") && answer.contains(words), "\(answer)")
        _ = try await ledger.ledger.enqueue(receipt("kept"), retryAt: today, at: today)
        try await ledger.openProvisionally(receipt("kept"), bought("starter", "12"))
        let holdings = try await ledger.holdings(of: 1, hours: 24)
        #expect(holdings.contains("starter") && holdings.contains(words), "\(holdings)")
        let question = ManifestQuestion(token: Data([1]), bundle: "hard-words", asksForRefunds: true)
        let facts = try await ledger.ledger.manifestFacts(question, in: try ledger.context())
        #expect(facts?.entitlements.first { $0.product == "words" }?.access == .granted(until: nil))
        #expect(facts?.hasRefund == false)
    }

    /// A refund ends the purchase and a transfer moves it; what was given stays with the account.
    @Test(arguments: LedgerKind.allCases)
    func `A grant stays with its account through refunds and transfers`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1"))
        try await ledger.give("words", until: day(130))
        try await ledger.move("1", to: 2)
        let given = "= hangman words non-consumable granted until \(day(130).rfc3339) [hard-words]"
        #expect(try await ledger.holdings(of: 1) == given)
        #expect(try await ledger.holdings(of: 2) == "= hangman words non-consumable granted [hard-words]")
        try await ledger.give("words", to: 2, until: day(140))
        try await ledger.receive(notification("n", bought("words", "1", revoked: day(95), signed: day(96))))
        #expect(try await ledger.holdings(of: 2) == given.replacing(day(130).rfc3339, with: day(140).rfc3339))
        #expect(
            try await ledger.holdings(of: 2, on: day(140))
                == "= hangman words non-consumable denied revoked [hard-words]")
        #expect(try await ledger.differences() == [])
    }

    /// An administrator of one app neither meets nor uses up the keys of another.
    @Test(arguments: LedgerKind.allCases)
    func `A grant's idempotency key is one of its app`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let both = try catalog(
            shop.replacing(
                #""credits": {"hints": 1}}]}]}"#,
                with: #""credits": {"hints": 1}}, {"id": "words", "# + #""type": "non-consumable"}]}]}"#))
        for (id, app) in [("g_1", "hangman"), ("g_2", "chess"), ("g_1", "hangman"), ("g_2", "chess")] {
            let given = try await ledger.give("words", id: "\(id)", key: "a", app: BundleID(stored: app), in: both)
            #expect(given == id)
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func `A grant is made once per idempotency key`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        #expect(try await ledger.give("words", until: day(110), key: "a") == "g_1")
        let before = try await ledger.everything()
        #expect(try await ledger.give("words", id: "g_2", until: day(110), key: "a") == "g_1")
        #expect(try await ledger.give("words", id: "g_2", until: day(110), key: "a", on: day(111)) == "g_1")
        for other in [
            grant("night", id: "g_2", until: day(110), key: "a"), grant("words", id: "g_2", key: "a"),
            grant("words", id: "g_2", until: day(110), key: "a", .sandbox),
        ] {
            await #expect(throws: LedgerRefusal.idempotencyKeyReused) {
                try await ledger.ledger.grant(other, try act(), in: try ledger.context())
            }
        }
        #expect(try await ledger.everything() == before)
        try await ledger.takeBack()
        #expect(try await ledger.give("words", id: "g_2", until: day(110), key: "a") == "g_1")
        #expect(try await ledger.holdings(of: 1) == "", "the key gives it once")
        let ids = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<30 {
                group.addTask { try await ledger.give("words", id: "h_\(number)", key: "b") }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await ledger.rows("SELECT count(*) FROM productGrants") == ["2"])
        #expect(try await ledger.give("words", to: 2, key: "a") == "g_1", "a key is an account's own")
    }

    /// A refused key can be used again; there is a maximum of grants in force, and those that ended no longer count.
    @Test(arguments: LedgerKind.allCases)
    func `A grant that is wrong or one too many is refused`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let before = try await ledger.everything()
        let refused: [(ProductGrant, LedgerRefusal)] = [
            (grant("words", to: 9), .unknownAccount), (grant("wordz"), .unknownProduct),
            (grant("words", app: "chess"), .unknownProduct), (grant("hints"), .nothingToGrant),
            (grant("words", until: today), .grantEnded), (grant("words", until: day(1)), .grantEnded),
        ]
        for (grant, refusal) in refused {
            await #expect(throws: refusal) { try await ledger.ledger.grant(grant, try act(), in: try ledger.context()) }
        }
        await #expect(throws: LedgerRefusal.unknownGrant) { try await ledger.takeBack("g_x") }
        #expect(try await ledger.everything() == before)
        for number in 0..<ProductGrant.maximumStanding {
            try await ledger.give("words", id: "g_\(number)", until: day(110), key: "\(number)")
        }
        await #expect(throws: LedgerRefusal.tooManyGrants) { try await ledger.give("words", id: "h", key: "h") }
        await #expect(throws: LedgerRefusal.unknownGrant) { try await ledger.takeBack("g_0", of: 2) }
        try await ledger.give("words", to: 2)
        try await ledger.takeBack("g_0")
        try await ledger.give("words", id: "h", key: "h")
        await #expect(throws: LedgerRefusal.tooManyGrants) { try await ledger.give("words", id: "i", key: "i") }
        try await ledger.give("words", id: "i", key: "i", on: day(110))
    }

    /// A product that was given stays when it is taken out of the catalog, like one that was bought.
    @Test(arguments: LedgerKind.allCases)
    func `A grant keeps its terms when the product is removed from the catalog`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.give("words")
        let none = try catalog(#"{"apps": [{"bundleID": "hangman", "products": []}]}"#)
        let granted = "= hangman words non-consumable granted [hard-words]"
        #expect(try await ledger.holdings(of: 1, in: none) == granted)
        let wider = try catalog(shop.replacing(#"["hard-words"]"#, with: #"["more-words"]"#))
        #expect(
            try await ledger.holdings(of: 1, in: wider)
                == granted.replacing("[hard-words]", with: "[hard-words more-words]"))
    }

    /// In the sandbox it counts for those whom the app's setting admits.
    @Test(arguments: LedgerKind.allCases)
    func `A grant in the sandbox counts only for those who are admitted to it`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.give("words", .sandbox)
        let denied = "= hangman Sandbox words non-consumable denied sandbox [hard-words]"
        #expect(try await ledger.holdings(of: 1) == denied)
        let everyone = try catalog(
            shop.replacing(#""bundleID": "hangman","#, with: #""bundleID": "hangman", "sandbox": "everyone","#))
        #expect(try await ledger.holdings(of: 1, in: everyone) == denied.replacing("denied sandbox", with: "granted"))
    }

    @Test(arguments: LedgerKind.allCases)
    func `Grants are recorded with who gave them and why`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.give("words", until: day(110), key: "a")
        try await ledger.takeBack(on: day(101))
        let place = #""app":"hangman","#
        let product =
            #""environment":"Production","product":"words","reason":"ticket 7","until":"\#(day(110).rfc3339)"}"#
        let (with, without) = (
            #"{"access":"granted","grants":1,"until":"\#(day(110).rfc3339)"}"#, #"{"access":"denied","grants":0}"#
        )
        #expect(
            try await ledger.acts() == [
                #"entitlement.granted admin:alice g_1 {"after":\#(with),\#(place)"before":\#(without),\#(product)"#,
                #"entitlement.revoked admin:alice g_1 {"after":\#(without),\#(place)"before":\#(with),\#(product)"#,
            ])
        try await ledger.give("night", id: "g_2", key: "b", on: day(102))
        let report = try #require(
            try await ledger.ledger.accountReport(
                of: account(1), after: nil, limit: 9, in: try ledger.context(on: day(103))))
        let (newest, oldest) = (try #require(report.grants.entries.first), try #require(report.grants.entries.last))
        #expect(report.grants.entries.count == 2 && newest.grant == grant("night", id: "g_2", key: "b"))
        #expect(newest.actor == "admin:alice" && newest.reason == "ticket 7" && newest.date == day(102))
        #expect(oldest.revokedAt == day(101) && newest.stands(at: day(103)) && !oldest.stands(at: day(103)))
        #expect(report.entitlements.map(\.text) == ["= hangman night non-renewing granted [night-theme]"])
    }

    @Test(arguments: LedgerKind.allCases)
    func `Rebuilding the ledger leaves grants as they are`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1"), bought("night", "2"))
        try await ledger.give("night")
        try await ledger.give("club.year", to: 2, until: day(300))
        let holdings = [try await ledger.holdings(of: 1), try await ledger.holdings(of: 2)]
        _ = try await ledger.ledger.rebuildStandings(at: today)
        _ = try await ledger.ledger.rebuildBalances(by: .command(user: "root"), at: today)
        #expect(try await ledger.differences() == [])
        #expect([try await ledger.holdings(of: 1), try await ledger.holdings(of: 2)] == holdings)
        #expect(holdings[0].contains("night non-renewing granted [") && holdings[1].contains("club.year"))
    }

    /// Grants that are over make no request dearer, and accounts that never got one cost no question about them.
    @Test(arguments: [LedgerKind.sqliteInMemory, .postgres])
    func `Grants that are over cost no request anything`(kind: LedgerKind) async throws {
        let made = try await open(kind)
        let database = CountingDatabase(try #require(made.ledger as? SQLLedger).database)
        let ledger = SQLLedger(database, handlers: standardHandlers, onCommit: { _ in })
        func cost(on date: Date) async throws -> (statements: Int, rows: Int) {
            database.counts.statements.withLock { $0 = [] }
            database.counts.rows.withLock { $0 = 0 }
            _ = try await ledger.entitlements(of: account(1), in: try made.context(on: date))
            return (database.counts.statements.withLock { $0.count }, database.counts.rows.withLock { $0 })
        }
        let before = try await cost(on: day(200))
        for number in 0..<(2 * ProductGrant.maximumStanding - 1) {
            let end = number.isMultiple(of: 2) ? day(110) : nil
            try await made.give("words", id: "g_\(number)", until: end, key: "\(number)")
            if end == nil { try await made.takeBack("g_\(number)") }
        }
        let (after, standing) = (try await cost(on: day(200)), try await cost(on: day(105)))
        #expect(before.statements == 1 && after.statements == 2)
        #expect(after.rows == before.rows && standing.rows == before.rows + ProductGrant.maximumStanding)
    }
}
