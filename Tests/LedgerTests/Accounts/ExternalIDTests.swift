import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// The IDs that the studio's own systems have for players.
@Suite struct ExternalIDTests {
    @Test(arguments: LedgerKind.allCases)
    func `An account is found by its external ID until it is removed`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        let id = try #require(ExternalID("player 4711/é"))
        #expect(try await ledger.ledger.account(withExternalID: id) == nil)
        try await ledger.ledger.setExternalID(id, of: account(1), try act())
        let before = try await ledger.everything()
        try await ledger.ledger.setExternalID(id, of: account(1), try act("again", on: day(101)))
        #expect(try await ledger.everything() == before)
        let found = try await ledger.ledger.account(withExternalID: id)
        #expect(found?.account == account(1) && found?.externalID == id)
        let newest = try await ledger.ledger.newestAccounts(after: nil, limit: 9)
        #expect(newest?.compactMap(\.externalID) == [id])
        try await ledger.ledger.setExternalID(nil, of: account(1), try act("gone", on: day(102)))
        #expect(try await ledger.ledger.account(withExternalID: id) == nil)
        try await ledger.ledger.setExternalID(id, of: account(2), try act("his", on: day(103)))
        #expect(try await ledger.ledger.account(withExternalID: id)?.account == account(2))
        #expect(
            try await ledger.acts() == [
                #"account.externalIDChanged admin:alice - {"after":{"externalID":"player 4711/é"},"#
                    + #""before":{"externalID":null},"reason":"ticket 7"}"#,
                #"account.externalIDChanged admin:alice - {"after":{"externalID":null},"#
                    + #""before":{"externalID":"player 4711/é"},"reason":"gone"}"#,
                #"account.externalIDChanged admin:alice - {"after":{"externalID":"player 4711/é"},"#
                    + #""before":{"externalID":null},"reason":"his"}"#,
            ])
    }

    @Test(arguments: LedgerKind.allCases)
    func `No two accounts have one external ID`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        let id = try #require(ExternalID("4711"))
        let act = try act()
        try await ledger.ledger.setExternalID(id, of: account(1), act)
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.externalIDInUse) {
            try await ledger.ledger.setExternalID(id, of: account(2), act)
        }
        await #expect(throws: LedgerRefusal.unknownAccount) {
            try await ledger.ledger.setExternalID(id, of: account(9), act)
        }
        #expect(try await ledger.everything() == before)
    }

    /// The same letter, written in two ways, is two players; so are upper and lower case.
    @Test(arguments: LedgerKind.allCases)
    func `External IDs are compared byte for byte`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3)
        let ids = try ["\u{E9}", "e\u{301}", "E\u{301}"].map { try #require(ExternalID($0)) }
        #expect(Set(ids).count == 3)
        for (digit, id) in zip([UInt8(1), 2, 3], ids) {
            try await ledger.ledger.setExternalID(id, of: account(digit), try act())
        }
        for (digit, id) in zip([UInt8(1), 2, 3], ids) {
            #expect(try await ledger.ledger.account(withExternalID: id)?.account == account(digit))
        }
        let changed: ExternalID = try #require(ExternalID("e\u{301}2"))
        try await ledger.ledger.setExternalID(changed, of: account(2), try act())
        #expect(try await ledger.ledger.account(withExternalID: ids[1]) == nil)
    }

    @Test func `An external ID has up to 128 characters and no control characters`() {
        for text in ["1", " ", "a/b?c", String(repeating: "é", count: 128)] { #expect(ExternalID(text)?.text == text) }
        for text in ["", "a\n", "\0", "a\u{2028}", String(repeating: "x", count: 129)] {
            #expect(ExternalID(text) == nil, "\(text)")
        }
    }
}
