import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// An administrator makes accounts testers, who may use what they buy with test money.
@Suite struct TesterTests {
    static let denied = "verified keep\n1 hints: denied sandbox\n= chess Sandbox hints consumable denied sandbox"
    static let testers = #""testers""#

    @Test(arguments: LedgerKind.allCases)
    func `An account is made a tester and removed again, and sandbox purchases follow`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        let (chess, copy) = (try catalog(sandbox: Self.testers), bought("hints", "1", app: "chess", .sandbox))
        #expect(try await ledger.record(receipt("a"), copy, in: chess) == Self.denied)
        #expect(try await ledger.ledger.addTester(account(1), try act()) == today)
        let before = try await ledger.everything()
        #expect(try await ledger.ledger.addTester(account(1), try act("again", on: day(101))) == today)
        #expect(try await ledger.everything() == before)
        #expect(
            try await ledger.record(receipt("a"), copy, in: chess) == """
                verified again finish
                1 hints: delivered
                = chess Sandbox hints consumable denied consumed
                + hints 1
                """)
        #expect(
            try await ledger.record(receipt("b", by: 2), bought("hints", "2", app: "chess", .sandbox), in: chess)
                == Self.denied.replacing("1 hints", with: "2 hints"))
        let report = try await ledger.ledger.accountReport(
            of: account(1), after: nil, limit: 1, in: try ledger.context())
        #expect(report?.facts.testerSince == today)
        try await ledger.ledger.removeTester(account(1), try act("done", on: day(102)))
        try await ledger.ledger.removeTester(account(1), try act("again", on: day(103)))
        #expect(try await ledger.holdings(of: 1, in: chess) == "= chess Sandbox hints consumable denied sandbox")
        #expect(
            try await ledger.acts() == [
                #"tester.added admin:alice - {"after":{"testerSince":"2026-04-11T00:00:00Z"},"#
                    + #""before":{"testerSince":null},"reason":"ticket 7"}"#,
                #"tester.removed admin:alice - {"after":{"testerSince":null},"#
                    + #""before":{"testerSince":"2026-04-11T00:00:00Z"},"reason":"done"}"#,
            ])
    }

    /// Each once, page by page, those made at the same time in a stable order; former testers are not listed.
    @Test(arguments: LedgerKind.allCases)
    func `Testers are listed page by page, the latest first`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3, 4, 5)
        for (digit, date) in [(UInt8(3), day(5)), (1, day(7)), (2, day(7)), (4, day(7))] {
            _ = try await ledger.ledger.addTester(account(digit), try act("plays", on: date))
        }
        try await ledger.ledger.removeTester(account(2), try act("no more", on: day(8)))
        var (listed, last): ([AccountFacts], TesterPosition?) = ([], nil)
        repeat {
            let page = try await ledger.ledger.testers(after: last, limit: 2)
            #expect(page.count <= 2)
            listed += page
            last = page.last.flatMap { facts in
                facts.testerSince.map { TesterPosition(date: $0, account: facts.account) }
            }
        } while last != nil
        #expect(listed.map(\.account) == [4, 1, 3].map { account($0) })
        #expect(listed.map(\.testerSince) == [day(7), day(7), day(5)])
        // The place is still valid when the tester at it is gone.
        let place = TesterPosition(date: day(7), account: account(2))
        #expect(try await ledger.ledger.testers(after: place, limit: 9).map(\.account) == [1, 3].map { account($0) })
    }

    /// Decided where the spend is made: a former tester cannot use up a tester's balance.
    @Test(arguments: LedgerKind.allCases)
    func `Only a tester can spend sandbox credits`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let chess = RecordingContext(catalog: try catalog(sandbox: Self.testers), date: today)
        try await ledger.record(receipt("a"), bought("hints", "1", app: "chess", .sandbox), in: chess.catalog)
        let spend = Spend(
            account: account(1), scope: Scope(app: "chess", environment: .sandbox), currency: "hints", amount: 1,
            idempotencyKey: "k")
        await #expect(throws: LedgerRefusal.insufficientBalance) { try await ledger.ledger.spend(spend, in: chess) }
        _ = try await ledger.ledger.addTester(account(1), try act())
        #expect(try await ledger.ledger.spend(spend, in: chess) == 0)
        #expect(try await ledger.differences() == [])
    }

    @Test(arguments: LedgerKind.allCases)
    func `An unknown account cannot be made or removed as a tester`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        let (act, context) = (try act(), try ledger.context())
        await #expect(throws: LedgerRefusal.unknownAccount) { try await ledger.ledger.addTester(account(9), act) }
        await #expect(throws: LedgerRefusal.unknownAccount) { try await ledger.ledger.removeTester(account(9), act) }
        await #expect(throws: LedgerRefusal.unknownAccount) {
            try await ledger.ledger.resetSandbox(of: account(9), app: nil, act, in: context)
        }
    }
}
