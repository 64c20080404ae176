import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// An administrator blocks accounts, unblocks them, and ends sessions.
@Suite struct BlockTests {
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    private func signIn(_ digit: UInt8, token: UInt8, in ledger: TestLedger) async throws -> AccountID? {
        try await ledger.ledger.openSession(recoveryCode: Data([digit]), token: Data([token]), at: today)
    }

    @Test(arguments: LedgerKind.allCases)
    func `A blocked account is shut out until it is unblocked`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1"))
        let holdings = try await ledger.holdings(of: 1)
        #expect(try await ledger.ledger.block(account(1), try act()) == today)
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.accountBlocked(account(1))) {
            try await ledger.ledger.account(forToken: Data([1]))
        }
        await #expect(throws: LedgerRefusal.accountBlocked(account(1))) { try await signIn(1, token: 11, in: ledger) }
        #expect(try await ledger.ledger.account(forToken: Data([2])) == account(2))
        // The second time, nothing happens.
        #expect(try await ledger.ledger.block(account(1), try act("again", on: day(101))) == today)
        #expect(try await ledger.everything() == before)
        try await ledger.ledger.unblock(account(1), try act("was a mistake", on: day(102)))
        try await ledger.ledger.unblock(account(1), try act("again", on: day(103)))
        #expect(try await ledger.ledger.account(forToken: Data([1])) == account(1))
        #expect(try await signIn(1, token: 11, in: ledger) == account(1))
        #expect(try await ledger.holdings(of: 1) == holdings)
        #expect(
            try await ledger.acts() == [
                #"account.blocked admin:alice - {"after":{"blockedAt":"2026-04-11T00:00:00Z"},"#
                    + #""before":{"blockedAt":null},"reason":"ticket 7"}"#,
                #"account.unblocked admin:alice - {"after":{"blockedAt":null},"#
                    + #""before":{"blockedAt":"2026-04-11T00:00:00Z"},"reason":"was a mistake"}"#,
            ])
    }

    /// A receipt that waits for the store is not lost.
    @Test(arguments: LedgerKind.allCases)
    func `A waiting receipt of a blocked account is still delivered`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let kept = receipt("a", kind: .appReceipt)
        _ = try await ledger.ledger.enqueue(kept, retryAt: today, at: today)
        _ = try await ledger.ledger.block(account(1), try act())
        #expect(try await ledger.ledger.dueReceipts(in: .receipts, limit: 9, lease: day(101), at: today).count == 1)
        try await ledger.record(kept, bought("words", "1", isSigned: false))
        try await ledger.ledger.unblock(account(1), try act())
        #expect(try await ledger.holdings(of: 1) == "= hangman words non-consumable granted [hard-words]")
    }

    @Test(arguments: LedgerKind.allCases)
    func `An administrator ends every session of an account`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        _ = try await signIn(1, token: 11, in: ledger)
        _ = try await signIn(1, token: 12, in: ledger)
        try await ledger.ledger.closeSession(token: Data([12]), at: today)
        #expect(try await ledger.ledger.revokeSessions(of: account(1), try act()) == 2)
        #expect(try await ledger.ledger.revokeSessions(of: account(1), try act()) == 0)
        for token: UInt8 in [1, 11, 12] { #expect(try await ledger.ledger.account(forToken: Data([token])) == nil) }
        #expect(try await ledger.ledger.account(forToken: Data([2])) == account(2))
        #expect(try await signIn(1, token: 13, in: ledger) == account(1))
        #expect(
            try await ledger.acts() == [
                #"sessions.revoked admin:alice - {"after":{"openSessions":0},"before":{"openSessions":2},"#
                    + #""reason":"ticket 7"}"#
            ])
    }

    @Test(arguments: LedgerKind.allCases)
    func `An unknown account cannot be blocked, unblocked or signed out`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.unknownAccount) { try await ledger.ledger.block(account(9), try act()) }
        await #expect(throws: LedgerRefusal.unknownAccount) { try await ledger.ledger.unblock(account(9), try act()) }
        await #expect(throws: LedgerRefusal.unknownAccount) {
            try await ledger.ledger.revokeSessions(of: account(9), try act())
        }
        #expect(try await ledger.everything() == before)
    }

    @Test func `The reason of an act must be neither empty nor too long`() {
        let longest = String(repeating: "x", count: SupportAct.maximumReasonCharacters)
        for reason in ["a", " ticket 7\n", "grüße 👩‍👩‍👧", longest] {
            #expect(SupportAct(by: .command(user: "root"), reason: reason, at: today) != nil, "\(reason)")
        }
        for reason in ["", " \n\t", longest + "x", "a\u{1B}[2Jb", "a\nb", "a\0"] {
            #expect(SupportAct(by: .command(user: "root"), reason: reason, at: today) == nil, "\(reason)")
        }
    }
}
