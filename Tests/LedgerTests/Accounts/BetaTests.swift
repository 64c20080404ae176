import Foundation
import InAppPurchase
import Ledger
import Testing

/// An administrator offers accounts what is not for everybody yet.
@Suite struct BetaTests {
    @Test(arguments: LedgerKind.allCases)
    func `An account is added to the beta and removed from it`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        #expect(try await ledger.ledger.addToBeta(account(1), try act()) == today)
        let before = try await ledger.everything()
        #expect(try await ledger.ledger.addToBeta(account(1), try act("again", on: day(101))) == today)
        #expect(try await ledger.everything() == before)
        #expect(try await ledger.ledger.isBeta(account(1)))
        #expect(try await !ledger.ledger.isBeta(account(2)))
        let report = try await ledger.ledger.accountReport(
            of: account(1), after: nil, limit: 1, in: try ledger.context())
        #expect(report?.facts.betaSince == today && report?.facts.testerSince == nil)
        try await ledger.ledger.removeFromBeta(account(1), try act("done", on: day(102)))
        try await ledger.ledger.removeFromBeta(account(1), try act("again", on: day(103)))
        #expect(try await !ledger.ledger.isBeta(account(1)))
        #expect(
            try await ledger.acts() == [
                #"beta.added admin:alice - {"after":{"betaSince":"2026-04-11T00:00:00Z"},"#
                    + #""before":{"betaSince":null},"reason":"ticket 7"}"#,
                #"beta.removed admin:alice - {"after":{"betaSince":null},"#
                    + #""before":{"betaSince":"2026-04-11T00:00:00Z"},"reason":"done"}"#,
            ])
    }

    @Test(arguments: LedgerKind.allCases)
    func `An unknown account cannot be added to the beta or removed from it`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        let act = try act()
        await #expect(throws: LedgerRefusal.unknownAccount) { try await ledger.ledger.addToBeta(account(9), act) }
        await #expect(throws: LedgerRefusal.unknownAccount) { try await ledger.ledger.removeFromBeta(account(9), act) }
        #expect(try await !ledger.ledger.isBeta(account(9)))
    }
}
