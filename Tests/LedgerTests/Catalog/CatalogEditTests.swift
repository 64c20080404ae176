import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// A purchase gives what its terms said at that time, whatever becomes of the catalog.
@Suite struct CatalogEditTests {
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    private func hangman(_ products: String) throws -> Catalog {
        try catalog(#"{"apps": [{"bundleID": "hangman", "products": [\#(products)]}]}"#)
    }

    @Test(arguments: LedgerKind.allCases)
    func `Editing the catalog changes nothing that was bought`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("hints", "1"), bought("words", "2"), bought("night", "3"))
        let edited = try hangman(
            #"""
            {"id": "hints", "type": "consumable", "credits": {"hints": 100, "coins": 1}},
            {"id": "words", "type": "non-consumable", "bundles": ["more-words", "hard-words"]},
            {"id": "night", "type": "non-renewing", "duration": "P1D", "bundles": []}
            """#)
        let holdings = """
            = hangman hints consumable denied consumed
            = hangman night non-renewing granted until 2026-05-01T00:00:00Z [night-theme]
            = hangman words non-consumable granted [hard-words more-words]
            + hints 10
            """
        #expect(try await ledger.holdings(of: 1, in: edited) == holdings)
        try await ledger.record(receipt("b"), bought("hints", "1", signed: day(95)), in: edited)
        #expect(try await ledger.holdings(of: 1, in: edited) == holdings)
        try await ledger.record(receipt("c"), bought("hints", "4"), in: edited)
        #expect(
            try await ledger.holdings(of: 1, in: edited)
                == holdings.replacing("+ hints 10", with: "+ coins 1, hints 110"))
    }

    @Test(arguments: LedgerKind.allCases)
    func `A product removed from the catalog stays bought`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("hints", "1"), bought("words", "2"))
        let holdings = try await ledger.holdings(of: 1)
        #expect(try await ledger.holdings(of: 1, in: Catalog()) == holdings)
        let copy = bought("words", "2", revoked: day(95), signed: day(96))
        #expect(
            try await ledger.record(receipt("b"), copy, in: Catalog()) == """
                verified finish
                2 words: already delivered
                = hangman hints consumable denied consumed
                = hangman words non-consumable denied revoked [hard-words]
                + hints 10
                """)
    }

    /// The terms also say who may have it.
    @Test(arguments: LedgerKind.allCases)
    func `A purchase keeps the ownership rule of its terms`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1"))
        let kept = try hangman(#"{"id": "words", "type": "non-consumable", "ownership": "keep"}"#)
        let rest = "= hangman words non-consumable granted [hard-words]"
        #expect(
            try await ledger.record(receipt("a", by: 2), bought("words", "1", signed: day(92)), in: kept)
                == "verified finish\n1 words: delivered\n\(rest)")
    }

    /// Renewals, and restored copies, of what is not sold any more.
    @Test(arguments: LedgerKind.allCases)
    func `A removed subscription still renews, and removed products are still restored`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let month = bought("club.month", "1", on: day(80), until: day(99), signed: day(80))
        try await ledger.record(receipt("a"), month, bought("starter", "3"))
        let empty = try hangman("")
        let renewal = bought("club.month", "2", original: "1", on: day(99), until: day(130), signed: day(99))
        let other = bought("club.year", "5", original: "1", on: day(99), until: day(460), signed: day(98))
        let copies = [renewal, bought("starter", "4", original: "3"), bought("starter", "6"), other]
        var outcomes: [String] = []
        for (number, copy) in copies.enumerated() {
            let answer = try await ledger.record(receipt("b\(number)"), copy, in: empty, on: day(100))
            outcomes.append(
                answer.split(separator: "\n").first { $0.hasPrefix(copy.id.text) }.map(String.init) ?? "none")
        }
        #expect(
            outcomes == [
                "2 club.month: delivered", "4 starter: delivered", "6 starter: denied unknownProduct",
                "5 club.year: denied unknownProduct",
            ])
    }

    static let strangers: [(String, Transaction, String)] = [
        ("unknown product", bought("gone", "1"), "unknownProduct\n= hangman gone unknown denied unknownProduct"),
        (
            "whose type the store tells", bought("gone", "1", type: .nonConsumable),
            "unknownProduct\n= hangman gone non-consumable denied unknownProduct"
        ),
        (
            "unknown app", bought("words", "1", app: "go"),
            "unknownProduct\n= go words unknown denied unknownProduct"
        ),
        (
            "another type", bought("hints", "1", type: .nonConsumable),
            "typeMismatch\n= hangman hints non-consumable denied typeMismatch"
        ),
        (
            "a subscription whose type nobody names", bought("hints", "1", until: day(99), isSigned: false),
            "typeMismatch\n= hangman hints auto-renewable denied typeMismatch"
        ),
        (
            "likewise of a product that is kept", bought("words", "1", until: day(130), isSigned: false),
            "typeMismatch\n= hangman words auto-renewable denied typeMismatch [hard-words]"
        ),
        (
            "likewise of a product that does not renew", bought("night", "1", until: day(130), isSigned: false),
            "typeMismatch\n= hangman night auto-renewable denied typeMismatch [night-theme]"
        ),
    ]

    @Test(arguments: LedgerKind.allCases, strangers)
    func `A purchase that the catalog does not know is recorded and not delivered`(
        kind: LedgerKind, example: (String, Transaction, String)
    ) async throws {
        let (_, copy, expected) = example
        let ledger = try await open(kind)
        let rest = "\(copy.id) \(copy.productID): denied \(expected)"
        #expect(try await ledger.record(receipt("a"), copy) == "verified keep\n\(rest)")
        #expect(try await ledger.answer(to: receipt("a")) == "verified keep\n\(rest)")
        #expect(try await ledger.ledger.bindTerms(in: try ledger.context()) == 0)
        #expect(try await ledger.record(receipt("a"), copy) == "verified again keep\n\(rest)")
        #expect(try await ledger.rows("SELECT 1 FROM deliveries UNION ALL SELECT 1 FROM postings") == [])
    }

    /// The operator corrects the catalog.
    @Test(arguments: LedgerKind.allCases, [bought("gone", "1"), bought("hints", "1", type: .nonConsumable)])
    func `A purchase gets its terms when the catalog is corrected`(kind: LedgerKind, copy: Transaction) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), copy)
        let mended = try hangman(
            #"{"id": "\#(copy.productID)", "type": "non-consumable", "credits": {"hints": 2}, "bundles": ["x"]}"#)
        let context = RecordingContext(catalog: mended, date: today)
        #expect(try await ledger.ledger.bindTerms(in: context) == 1)
        #expect(try await ledger.ledger.bindTerms(in: context) == 0)
        let rest = """
            finish
            1 \(copy.productID): already delivered
            = hangman \(copy.productID) non-consumable granted [x]
            + hints 2
            """
        #expect(
            try await ledger.ledger.receipt(receipt("a").id, of: account(1), in: context)?.text == "verified \(rest)")
        #expect(try await ledger.record(receipt("a"), copy, in: mended) == "verified again \(rest)")
        #expect(try await ledger.trail().contains(#"terms.bound 1 {"product":"\#(copy.productID)"}"#))
    }

    /// Its handler is gone from the server: it must not start rather than take credits back.
    @Test func `A ledger with terms that no handler reads does not open`() async throws {
        let file = try LedgerFile()
        let ledger = try file.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("words", "1"))
        #expect(throws: LedgerUnavailable.self) { try file.open(handlers: []) }
        #expect(try await file.open().holdings(of: 1) == "= hangman words non-consumable granted [hard-words]")
    }
}
