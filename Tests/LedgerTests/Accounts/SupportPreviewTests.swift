import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// The preview of an administrator's act says what the act then does, and records nothing.
@Suite struct SupportPreviewTests {
    struct Case: Sendable {
        var request: SupportRequest
        var before: [String: JSONValue]
        var after: [String: JSONValue]
    }

    private static let (one, two) = (account(1), account(2))
    private static let since = JSONValue.string(today.rfc3339)

    /// In an order in which each changes something.
    private static func cases() throws -> [Case] {
        let standings: [(SupportRequest, String, from: JSONValue, to: JSONValue)] = [
            (.setBlocked(one, true), "blockedAt", .null, since), (.setBlocked(one, false), "blockedAt", since, .null),
            (.setTester(one, true), "testerSince", .null, since),
            (.setTester(one, false), "testerSince", since, .null),
            (.setBeta(one, true), "betaSince", .null, since), (.setBeta(one, false), "betaSince", since, .null),
            (.setExternalID(one, ExternalID("4711")), "externalID", .null, .string("4711")),
            (.addNote("n_1", to: one), "notes", .integer(0), .integer(1)),
            (.removeNote("n_1", of: one), "notes", .integer(1), .integer(0)),
            (.revokeSessions(one), "openSessions", .integer(1), .integer(0)),
            (
                .setRecoveryCode(one, digest: Data([99])), "recoveryCode", .string("present"), .string("new")
            ),
            (.retryReceipt("r_kept_1"), "retryAt", .string(day(300).rfc3339), since),
            (.adjust(try adjustment(5, key: "a", of: 2)), "balance", .integer(10), .integer(15)),
            (
                .resetSandbox(one, app: nil), "sandboxes", sandbox(originals: 1, hints: 1),
                sandbox(originals: 0, hints: 0)
            ),
        ]
        return [
            Case(
                request: .transfer(original("1"), to: two), before: state(one, "presented"),
                after: state(two, "administrator")),
            Case(
                request: .transfer(original("9"), to: two), before: state(nil, nil),
                after: state(two, "administrator", hints: 10)),
            Case(
                request: .undoTransfer(original("1")),
                before: ["owner": .string(two.text), "basis": .string("administrator")],
                after: ["owner": .string(one.text), "basis": .string("administrator")]),
            Case(
                request: .grant(grant("night", to: 2, until: day(120))), before: given(0),
                after: given(1, until: day(120))),
            Case(request: .revokeGrant("g_1", of: two), before: given(1, until: day(120)), after: given(0)),
        ] + standings.map { Case(request: $0.0, before: [$0.1: $0.from], after: [$0.1: $0.to]) }
    }

    private static func state(_ owner: AccountID?, _ basis: String?, hints: Int? = nil) -> [String: JSONValue] {
        [
            "owner": owner.map { .string($0.text) } ?? .null, "basis": basis.map { .string($0) } ?? .null,
            "balances": .object(hints.map { ["hints": .integer($0)] } ?? [:]),
        ]
    }

    private static func given(_ grants: Int, until end: Date? = nil) -> [String: JSONValue] {
        var state: [String: JSONValue] = [
            "access": .string(end == nil ? "denied" : "granted"), "grants": .integer(grants),
        ]
        if let end { state["until"] = .string(end.rfc3339) }
        return state
    }

    private static func sandbox(originals: Int, hints: Int) -> JSONValue {
        .array([
            .object([
                "app": .string("chess"), "environment": .string("Sandbox"),
                "originalTransactions": .integer(originals), "balances": .object(["hints": .integer(hints)]),
            ])
        ])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A preview says what the act then does and records nothing`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), bought("words", "1"))
        try await ledger.record(receipt("b"), bought("hints", "2", app: "chess", .sandbox))
        try await ledger.receive(notification("n1", bought("hints", "9")))
        _ = try await ledger.ledger.enqueue(receipt("kept"), retryAt: day(300), at: today)
        for asked in try Self.cases() {
            let before = try await ledger.everything()
            let change = try await ledger.ledger.preview(asked.request, try act(), in: try ledger.context())
            #expect(change == SupportChange(before: asked.before, after: asked.after), "\(asked.request)")
            #expect(try await ledger.everything() == before, "\(asked.request) was only looked at")
            // A transfer has an additional row for the former owner.
            let acts = { try await ledger.acts().count { !$0.hasPrefix("line.lost") } }
            let count = try await acts()
            try await ledger.perform(asked.request)
            #expect(try await acts() == count + 1, "\(asked.request)")
            let again = try await ledger.ledger.preview(asked.request, try act(), in: try ledger.context())
            #expect(again.before == again.after, "\(asked.request) changes nothing the second time")
            if asked.request != .resetSandbox(Self.one, app: nil) { #expect(again.after == asked.after) }
        }
        #expect(try await ledger.differences() == [])
    }

    /// Refused as the act is.
    @Test(arguments: LedgerKind.allCases)
    func `A preview is refused where the act would be`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let before = try await ledger.everything()
        let refused: [(SupportRequest, LedgerRefusal)] = [
            (.setBlocked(account(9), true), .unknownAccount), (.revokeSessions(account(9)), .unknownAccount),
            (.transfer(original("1"), to: account(1)), .unknownOriginalTransaction),
            (.transfer(original("1"), to: account(9)), .unknownAccount),
            (.undoTransfer(original("1")), .unknownOriginalTransaction), (.retryReceipt("r_x"), .unknownReceipt),
            (.setRecoveryCode(account(9), digest: Data([9])), .unknownAccount),
            (.setExternalID(account(9), ExternalID("4711")), .unknownAccount),
            (.addNote("n_1", to: account(9)), .unknownAccount), (.removeNote("n_1", of: account(9)), .unknownAccount),
            (.grant(grant("words", to: 9)), .unknownAccount), (.grant(grant("wordz")), .unknownProduct),
            (.grant(grant("hints")), .nothingToGrant), (.grant(grant("words", until: today)), .grantEnded),
            (.revokeGrant("g_1", of: account(9)), .unknownAccount),
            (.revokeGrant("g_1", of: account(1)), .unknownGrant),
            (.adjust(try adjustment(5, "x")), .unknownCurrency(named: ["coins", "gems", "hints"])),
        ]
        for (request, refusal) in refused {
            await #expect(throws: refusal) {
                try await ledger.ledger.preview(request, try act(), in: try ledger.context())
            }
        }
        #expect(try await ledger.everything() == before)
    }

    /// Previews among writes that share a commit take back nothing but themselves.
    @Test(arguments: LedgerKind.allCases)
    func `A preview that shares a commit rolls back nothing but itself`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<40 {
                group.addTask {
                    let asked = try adjustment(1, key: "k\(number)")
                    guard number.isMultiple(of: 2) else {
                        _ = try await ledger.ledger.adjust(asked, try act(), in: try ledger.context())
                        return
                    }
                    let change = try await ledger.ledger.preview(
                        .adjust(asked), try act(), in: try ledger.context())
                    guard case .integer(let before)? = change.before["balance"] else {
                        Issue.record("no balance: \(change)")
                        return
                    }
                    #expect(change.after["balance"] == .integer(before + 1))
                }
            }
            try await group.waitForAll()
        }
        let scope = Scope(app: "hangman", environment: .production)
        let balances = try await ledger.ledger.balances(of: account(1), scope: scope, in: try ledger.context())
        #expect(balances == ["hints": 20])
        #expect(try await ledger.acts().count == 20)
    }
}

extension TestLedger {
    fileprivate func perform(_ request: SupportRequest) async throws {
        let (done, now) = (try act(), try context())
        switch request {
        case .transfer(let key, let account): _ = try await ledger.transfer(key, to: account, done, in: now)
        case .undoTransfer(let key): _ = try await ledger.undoTransfer(of: key, done, in: now)
        case .adjust(let adjustment): _ = try await ledger.adjust(adjustment, done, in: now)
        case .grant(let grant): _ = try await ledger.grant(grant, done, in: now)
        case .revokeGrant(let id, let account): _ = try await ledger.revokeGrant(id, of: account, done, in: now)
        case .setBlocked(let account, true): _ = try await ledger.block(account, done)
        case .setBlocked(let account, false): try await ledger.unblock(account, done)
        case .setTester(let account, true): _ = try await ledger.addTester(account, done)
        case .setTester(let account, false): try await ledger.removeTester(account, done)
        case .setBeta(let account, true): _ = try await ledger.addToBeta(account, done)
        case .setBeta(let account, false): try await ledger.removeFromBeta(account, done)
        case .setExternalID(let account, let id): try await ledger.setExternalID(id, of: account, done)
        case .addNote(let id, let account): _ = try await ledger.addNote(id, to: account, done)
        case .removeNote(let id, let account): try await ledger.removeNote(id, of: account, done)
        case .resetSandbox(let account, let app):
            _ = try await ledger.resetSandbox(of: account, app: app, done, in: now)
        case .revokeSessions(let account): _ = try await ledger.revokeSessions(of: account, done)
        case .setRecoveryCode(let account, let digest):
            try await ledger.setRecoveryCode(of: account, digest: digest, done)
        case .retryReceipt(let id): _ = try await ledger.retryReceipt(id, done)
        }
    }
}
