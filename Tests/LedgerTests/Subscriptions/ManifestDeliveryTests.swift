import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerPostgres
@testable import LedgerSQL
@testable import LedgerSQLite

extension TestLedger {
    /// Issues a manifest, whose hash is its version's number unless given. The ID of a new delivery says whose it is,
    /// of what and of when.
    @discardableResult func issueManifest(
        _ bundle: BundleName, _ version: String = "1.0.0", sha256: String? = nil, to digit: UInt8 = 1,
        on date: Date = today
    ) async throws -> String {
        try await ledger.issueManifest(
            IssuedManifest(bundle: bundle, version: version, sha256: sha256 ?? version), to: account(digit),
            id: "\(digit) \(bundle) \(version) \(date.rfc3339)", at: date)
    }

    func confirm(
        _ id: String, _ sha256: String, by digit: UInt8 = 1, on date: Date = today
    ) async throws -> DeliveryConfirmation? {
        try await ledger.confirmDelivery(id, sha256: sha256, by: account(digit), at: date)
    }

    fileprivate func unconfirmed(until date: Date = today) async throws -> [String] {
        try await ledger.manifestDeliveries(unconfirmed: true, until: date, limit: 9).map(\.id)
    }

    /// Page by page.
    fileprivate func issued(_ unconfirmed: Bool, _ filter: DeliveryFilter) async throws -> [String] {
        var (ids, position): ([String], DeliveryPosition?) = ([], nil)
        while true {
            let page = try await ledger.manifestDeliveries(unconfirmed: unconfirmed, filter, after: position, limit: 2)
            guard let last = page.last else { return ids }
            ids += page.map(\.id)
            position = DeliveryPosition(last)
        }
    }

    /// Page by page.
    fileprivate func unfetched(_ filter: DeliveryFilter) async throws -> [String] {
        var (accounts, position): ([String], UnfetchedPosition?) = ([], nil)
        while true {
            let page = try await ledger.purchasesNeverFetched(filter, after: position, limit: 2)
            guard let last = page.last else { return accounts }
            accounts += page.map(\.account.text)
            position = UnfetchedPosition(last)
        }
    }

    fileprivate func neverFetched(until date: Date = today) async throws -> [String] {
        try await ledger.purchasesNeverFetched(until: date, limit: 9).map {
            "\($0.account.uuid.uuidString.suffix(1)) \($0.bundle) \($0.product) \($0.transaction.id) \($0.date.rfc3339)"
        }
    }
}

/// The deliveries that were made, and those that were confirmed.
@Suite struct ManifestDeliveryTests {
    @Test(arguments: LedgerKind.allCases)
    func `A delivery is recorded once per account, bundle and version`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        let id = try await ledger.issueManifest("words")
        let before = try await ledger.everything()
        #expect(try await ledger.issueManifest("words", on: today + 3_599) == id)
        #expect(try await ledger.everything() == before, "within an hour nothing is written")
        #expect(try await ledger.issueManifest("words", on: today + 3_600) == id)
        #expect(try await ledger.issueManifest("words", "1.1.0") != id)
        #expect(try await ledger.issueManifest("theme") != id)
        #expect(try await ledger.issueManifest("words", to: 2) != id)
        let all = try await ledger.ledger.manifestDeliveries(unconfirmed: false, until: today, limit: 9)
        #expect(all.count == 4)
        let first = try #require(all.first { $0.id == id })
        #expect(first.firstDate == today && first.lastDate == today + 3_600 && first.count == 2)
        #expect(
            try await ledger.trail().filter { $0.hasPrefix("delivery") }.first
                == #"delivery.handedOut \#(id) {"bundle":"words","sha256":"1.0.0","version":"1.0.0"}"#)
        #expect(try await ledger.trail().filter { $0.hasPrefix("delivery") }.count == 4)
    }

    @Test(arguments: LedgerKind.allCases)
    func `The longest link lifetime of a download is recorded`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        for (lifetime, seconds, recorded, count) in [
            (nil, 0, nil, 1), (3_600, 1, 3_600, 1), (60, 2, 3_600, 1), (nil, 3, 3_600, 1), (7_200, 4, 7_200, 1),
            (60, 3_600, 60, 2), (nil, 7_200, nil, 3),
        ] as [(Int?, TimeInterval, Int?, Int)] {
            let manifest = IssuedManifest(bundle: "words", version: "1", sha256: "a", linkLifetime: lifetime)
            let id = try await ledger.ledger.issueManifest(manifest, to: account(1), id: "d", at: today + seconds)
            let all = try await ledger.ledger.manifestDeliveries(unconfirmed: false, until: today, limit: 9)
            #expect(
                id == "d" && all.map(\.count) == [count] && all.first?.manifest.linkLifetime == recorded, "\(seconds)")
        }
    }

    /// Not those of another account or another app, and not what the family's purchaser ended.
    @Test(arguments: LedgerKind.allCases)
    func `An account's refund is known until it is reversed`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        func hasRefund(_ digit: UInt8 = 1, _ app: BundleID = "hangman") async throws -> Bool {
            try await #require(ledger.ledger as? SQLLedger).read { try $0.hasRefund(account(digit), in: app) }
        }
        try await ledger.record(receipt("a"), bought("starter", "1"))
        #expect(try await !hasRefund())
        try await ledger.record(receipt("b"), bought("starter", "1", revoked: day(94), signed: day(95)))
        #expect(try await hasRefund())
        #expect(try await !hasRefund(2))
        #expect(try await !hasRefund(1, "chess"))
        try await ledger.record(receipt("c"), bought("starter", "1", signed: day(96)))
        #expect(try await !hasRefund())
    }

    @Test(arguments: LedgerKind.allCases)
    func `A delivery is confirmed once, by its account and hash`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), bought("words", "1"))
        let id = try await ledger.issueManifest("hard-words")
        #expect(try await ledger.confirm("d_9", "1.0.0") == nil)
        #expect(try await ledger.confirm(id, "1.0.0", by: 2) == nil)
        #expect(try await ledger.confirm(id, "2.0.0") == .mismatch)
        #expect(try await ledger.unconfirmed() == [id])
        #expect(try await ledger.confirm(id, "1.0.0", on: day(101)) == .confirmed(day(101)))
        let before = try await ledger.everything()
        #expect(try await ledger.confirm(id, "1.0.0", on: day(102)) == .confirmed(day(101)))
        #expect(try await ledger.everything() == before)
        #expect(try await ledger.confirm(id, "2.0.0") == .mismatch)
        #expect(try await ledger.unconfirmed() == [])
        let trail = try await ledger.trail().filter { $0.hasPrefix("delivery") }
        #expect(
            trail.map { $0.prefix { $0 != " " } } == [
                "delivery.handedOut", "delivery.mismatch", "delivery.confirmed", "delivery.mismatch",
            ])
        #expect(
            trail.dropFirst().first
                == #"delivery.mismatch \#(id) {"bundle":"hard-words","sha256":"2.0.0","version":"1.0.0"}"#)
    }

    /// The folder was changed under the same version: what the client has is something else.
    @Test(arguments: LedgerKind.allCases)
    func `A manifest with other files under the same version is confirmed anew`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("words", "1"))
        let id = try await ledger.issueManifest("hard-words", sha256: "a")
        #expect(try await ledger.confirm(id, "a") == .confirmed(today))
        #expect(try await ledger.issueManifest("hard-words", sha256: "b") == id)
        #expect(try await ledger.unconfirmed() == [id])
        #expect(try await ledger.confirm(id, "a") == .mismatch)
        #expect(try await ledger.confirm(id, "b", on: day(101)) == .confirmed(day(101)))
    }

    @Test(arguments: LedgerKind.allCases)
    func `Wrong confirmations are audited a limited number of times`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let id = try await ledger.issueManifest("words")
        for number in 0..<12 { #expect(try await ledger.confirm(id, "\(number)") == .mismatch) }
        #expect(try await ledger.trail().filter { $0.hasPrefix("delivery.mismatch") }.count == 10)
    }

    /// An update is waited for; a version replaced by a later one is not.
    @Test(arguments: LedgerKind.allCases)
    func `Deliveries that were not confirmed are listed, the latest version only`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), bought("words", "1"), on: day(89))
        try await ledger.record(receipt("b", by: 2), bought("words", "2"), on: day(89))
        let first = try await ledger.issueManifest("hard-words", on: day(90))
        let second = try await ledger.issueManifest("hard-words", "1.1.0", on: day(95))
        let other = try await ledger.issueManifest("hard-words", to: 2, on: day(96))
        #expect(try await ledger.unconfirmed(until: day(95)) == [first, second])
        _ = try await ledger.confirm(first, "1.0.0", on: day(92))
        #expect(try await ledger.unconfirmed() == [second, other])
        let third = try await ledger.issueManifest("hard-words", "1.2.0", on: day(97))
        _ = try await ledger.confirm(third, "1.2.0", on: day(97))
        #expect(try await ledger.unconfirmed() == [other])
    }

    /// Only what was bought in Production, still belongs to the account and was not refunded is waited for, whether it
    /// was bought before or after the files were first issued.
    @Test(arguments: LedgerKind.allCases)
    func `Only deliveries of what was paid for are waited for`(kind: LedgerKind) async throws {
        let open = shop.replacing(#""bundleID": "hangman","#, with: #""bundleID": "hangman", "sandbox": "everyone","#)
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3, 4)
        for digit in [1, 2, 4] as [UInt8] { try await ledger.issueManifest("hard-words", to: digit, on: day(90)) }
        #expect(try await ledger.unconfirmed() == [], "nobody paid for an open bundle")
        try await ledger.record(receipt("a"), bought("words", "1"), on: day(91))
        try await ledger.record(receipt("s", by: 4), bought("words", "4", .sandbox), in: try catalog(open), on: day(91))
        let paid = try await ledger.unconfirmed()
        let first = try #require(paid.first)
        #expect(first.hasPrefix("1 hard-words 1.0.0") && paid.count == 1)
        let second = try await ledger.issueManifest("hard-words", "1.1.0", on: day(92))
        #expect(try await ledger.unconfirmed() == [first, second], "a later version is paid for, too")
        let listed = try await ledger.ledger.manifestDeliveries(unconfirmed: true, until: today, limit: 9)
        #expect(listed.map { $0.paidBy?.id } == ["1", "1"] && listed.map { $0.paidBy?.app } == ["hangman", "hangman"])
        try await ledger.record(receipt("b"), bought("words", "1", revoked: day(94), signed: day(94)), on: day(94))
        #expect(try await ledger.unconfirmed() == [], "it was refunded")
        try await ledger.record(receipt("c"), bought("words", "6"), on: day(95))
        #expect(try await ledger.unconfirmed() == [first, second], "it was bought again")
        try await ledger.move("6", to: 3)
        #expect(try await ledger.unconfirmed() == [], "another account has it")
        let before = try await ledger.rows("SELECT id, app, paidBy FROM manifestDeliveries ORDER BY id")
        let sql = try #require(ledger.ledger as? SQLLedger)
        try await sql.write { rows in
            try rows.send("UPDATE manifestDeliveries SET app = NULL, paidBy = NULL", [])
            try rows.send("\(rows.db.dialect == .postgres ? SchemaVersion20.paidBefore : Schema.paidBefore)", [])
        }
        #expect(try await ledger.rows("SELECT id, app, paidBy FROM manifestDeliveries ORDER BY id") == before)
    }

    /// Pages of both lists follow each other to the end, with every filter, and both lists agree with what is in them.
    @Test(arguments: LedgerKind.allCases)
    func `The lists of deliveries are complete page by page, with every filter`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        let players = Array(1...5 as ClosedRange<UInt8>)
        for digit in players {
            try await ledger.join(digit)
            try await ledger.record(
                receipt("r\(digit)", by: digit), bought("words", "1\(digit)"), bought("night", "2\(digit)"), on: day(90)
            )
            try await ledger.issueManifest("hard-words", to: digit, on: day(91))
        }
        let filters = [
            DeliveryFilter(until: today), DeliveryFilter(until: today, app: "hangman"),
            DeliveryFilter(until: today, bundle: "hard-words"), DeliveryFilter(until: today, bundle: "night-theme"),
            DeliveryFilter(until: today, account: account(3)), DeliveryFilter(until: today, app: "chess"),
            DeliveryFilter(until: today, app: "hangman", bundle: "hard-words", account: account(3)),
            DeliveryFilter(until: day(90)),
        ]
        let counts = [(5, 5), (5, 5), (5, 0), (0, 5), (1, 1), (0, 0), (1, 0), (0, 5)]
        for (filter, count) in zip(filters, counts) {
            for unconfirmed in [true, false] {
                let ids = try await ledger.issued(unconfirmed, filter)
                #expect(ids == ids.sorted() && Set(ids).count == ids.count && ids.count == count.0, "\(filter)")
            }
            let accounts = try await ledger.unfetched(filter)
            #expect(accounts == accounts.sorted() && Set(accounts).count == accounts.count)
            #expect(accounts.count == count.1, "\(filter)")
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func `Paid bundles that were never downloaded are listed`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), bought("words", "1"), bought("hints", "2"), on: day(91))
        try await ledger.record(receipt("b"), bought("night", "3"), bought("night", "4"), on: day(92))
        try await ledger.record(receipt("c", by: 2), bought("words", "5"), on: day(93))
        #expect(
            try await ledger.neverFetched() == [
                "1 hard-words words 1 \(day(91).rfc3339)", "1 night-theme night 3 \(day(92).rfc3339)",
                "2 hard-words words 5 \(day(93).rfc3339)",
            ])
        #expect(try await ledger.neverFetched(until: day(91)).count == 1)
        let waiting = "SELECT count(*) FROM unfetchedBundles"
        #expect(try await ledger.rows(waiting) == ["3"])
        try await ledger.issueManifest("hard-words", on: day(94))
        #expect(try await ledger.rows(waiting) == ["2"], "what was asked for is looked at no more")
        try await ledger.record(receipt("again"), bought("words", "6"), on: day(94))
        #expect(try await ledger.rows(waiting) == ["2"])
        try await ledger.record(receipt("d"), bought("words", "5", revoked: day(95), signed: day(95)), on: day(95))
        #expect(try await ledger.neverFetched() == ["1 night-theme night 3 \(day(92).rfc3339)"])
        try await ledger.move("3", to: 2)
        try await ledger.move("4", to: 2)
        #expect(try await ledger.neverFetched() == ["2 night-theme night 3 \(today.rfc3339)"])
    }

    /// Purchases from before the table are found in the deliveries.
    @Test(arguments: LedgerKind.allCases)
    func `Paid bundles from before the table are found by the migration`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), bought("words", "1"), bought("night", "2"), bought("words", "3"))
        try await ledger.record(receipt("b", by: 2), bought("words", "4"), bought("night", "5", .sandbox))
        try await ledger.issueManifest("night-theme")
        let all = "SELECT * FROM unfetchedBundles ORDER BY account"
        let before = try await ledger.rows(all)
        #expect(before.count == 2)
        let sql = try #require(ledger.ledger as? SQLLedger)
        try await sql.write { rows in
            try rows.send("DELETE FROM unfetchedBundles", [])
            try rows.send(
                "\(rows.db.dialect == .postgres ? SchemaVersion16.unfetchedBefore : Schema.unfetchedBefore)", [])
        }
        #expect(try await ledger.rows(all) == before)
    }

    /// Test money pays for nothing.
    @Test(arguments: LedgerKind.allCases)
    func `Sandbox purchases are not listed as paid and never downloaded`(kind: LedgerKind) async throws {
        let open = shop.replacing(#""bundleID": "hangman","#, with: #""bundleID": "hangman", "sandbox": "everyone","#)
        let ledger = try kind.open()
        try await ledger.join(1)
        let settled = try await ledger.record(receipt("a"), bought("words", "1", .sandbox), in: try catalog(open))
        #expect(settled.contains("delivered"))
        #expect(try await ledger.neverFetched() == [])
    }
}
