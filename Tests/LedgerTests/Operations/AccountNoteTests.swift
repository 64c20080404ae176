import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Sentences of administrators about players, for the others who help.
@Suite struct AccountNoteTests {
    private func notes(of digit: UInt8, in ledger: TestLedger) async throws -> [AccountNote] {
        let report = try await ledger.ledger.accountReport(
            of: account(digit), after: nil, limit: 1, in: try ledger.context())
        return try #require(report).notes
    }

    @Test(arguments: LedgerKind.allCases)
    func `Notes on an account are written once and removed`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        _ = try await ledger.ledger.addNote("n_1", to: account(1), try act("called, very kind"))
        let before = try await ledger.everything()
        let again = try await ledger.ledger.addNote("n_2", to: account(1), try act("called, very kind", on: day(101)))
        #expect(again.id == "n_1", "the newest note is not repeated")
        #expect(try await ledger.everything() == before)
        _ = try await ledger.ledger.addNote("n_3", to: account(1), try act("owes 🎂", on: day(102)))
        #expect(
            try await notes(of: 1, in: ledger) == [
                AccountNote(id: "n_3", text: "owes 🎂", actor: "admin:alice", date: day(102)),
                AccountNote(id: "n_1", text: "called, very kind", actor: "admin:alice", date: today),
            ])
        #expect(try await notes(of: 2, in: ledger) == [])
        try await ledger.ledger.removeNote("n_1", of: account(2), try act())
        try await ledger.ledger.removeNote("n_1", of: account(1), try act("done", on: day(103)))
        try await ledger.ledger.removeNote("n_1", of: account(1), try act("again", on: day(104)))
        #expect(try await notes(of: 1, in: ledger).map(\.id) == ["n_3"])
        #expect(
            try await ledger.acts() == [
                #"note.added admin:alice n_1 {"after":{"notes":1},"before":{"notes":0},"reason":"called, very kind"}"#,
                #"note.added admin:alice n_3 {"after":{"notes":2},"before":{"notes":1},"reason":"owes 🎂"}"#,
                #"note.removed admin:alice n_1 {"after":{"notes":1},"before":{"notes":2},"reason":"done"}"#,
            ])
    }

    @Test(arguments: LedgerKind.allCases)
    func `An account has at most a hundred notes`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        for number in 0..<AccountNote.maximumOfAccount {
            _ = try await ledger.ledger.addNote("n_\(number)", to: account(1), try act("note \(number)"))
        }
        let act = try act("one more")
        await #expect(throws: LedgerRefusal.tooManyNotes) {
            _ = try await ledger.ledger.addNote("n_x", to: account(1), act)
        }
        await #expect(throws: LedgerRefusal.unknownAccount) {
            _ = try await ledger.ledger.addNote("n_x", to: account(9), act)
        }
        try await ledger.ledger.removeNote("n_5", of: account(1), act)
        _ = try await ledger.ledger.addNote("n_x", to: account(1), act)
        #expect(try await notes(of: 1, in: ledger).count == AccountNote.maximumOfAccount)
    }

    /// Notes may be about any app.
    @Test func `A token for some apps is shown no notes`() async throws {
        let ledger = try LedgerKind.sqliteInMemory.open()
        try await ledger.join(1)
        _ = try await ledger.ledger.addNote("n_1", to: account(1), try act("called"))
        let part = try await ledger.ledger.accountReport(
            of: account(1), after: nil, limit: 1, narrowedTo: AdminReach(["hangman"]), in: try ledger.context())
        #expect(part?.notes == [])
    }
}
