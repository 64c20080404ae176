import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Test money: always recorded, worth what the app's setting says, and never mixed with real money.
@Suite struct SandboxTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var policy: String
        var isTester = false
        var day = 100
        var isAdmitted: Bool

        var testDescription: String { "\(policy), \(isTester ? "tester" : "player"), day \(day)" }
    }

    static let cases = [
        Case(policy: #""nobody""#, isAdmitted: false),
        Case(policy: #""nobody""#, isTester: true, isAdmitted: false),
        Case(policy: #""testers""#, isAdmitted: false),
        Case(policy: #""testers""#, isTester: true, isAdmitted: true),
        Case(policy: #""everyone""#, isAdmitted: true),
        Case(policy: #"{"everyoneUntil": "2026-04-12T00:00:00Z"}"#, isAdmitted: true),
        Case(policy: #"{"everyoneUntil": "2026-04-12T00:00:00Z"}"#, day: 101, isAdmitted: false),
        Case(policy: #"{"everyoneUntil": "2026-04-12T00:00:00Z"}"#, isTester: true, day: 101, isAdmitted: true),
    ]

    static let denied = "verified keep\n1 hints: denied sandbox\n= chess Sandbox hints consumable denied sandbox"
    static let consumed = "= chess Sandbox hints consumable denied consumed\n+ hints 1"

    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1)
        return ledger
    }

    @Test(arguments: LedgerKind.allCases, cases)
    func `A sandbox purchase is admitted by the app's setting`(kind: LedgerKind, example: Case) async throws {
        let ledger = try await open(kind)
        let answer = try await ledger.record(
            receipt("a"), bought("hints", "1", app: "chess", .sandbox), in: try catalog(sandbox: example.policy),
            testers: example.isTester ? [account(1)] : [account(2)], on: day(example.day))
        #expect(answer == (example.isAdmitted ? "verified finish\n1 hints: delivered\n\(Self.consumed)" : Self.denied))
    }

    /// The same receipt is delivered once the app opens its sandbox, and hidden again when it closes it.
    @Test(arguments: LedgerKind.allCases)
    func `Sandbox purchases appear and disappear with the app's setting`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let (open, closed) = (try catalog(), try catalog(sandbox: #""nobody""#))
        let copy = bought("hints", "1", app: "chess", .sandbox)
        #expect(try await ledger.record(receipt("a"), copy, in: closed) == Self.denied)
        #expect(
            try await ledger.record(receipt("a"), copy, in: open)
                == "verified again finish\n1 hints: delivered\n\(Self.consumed)")
        #expect(try await ledger.holdings(of: 1, in: closed) == "= chess Sandbox hints consumable denied sandbox")
        #expect(try await ledger.holdings(of: 1, in: open) == Self.consumed)
    }

    @Test(arguments: LedgerKind.allCases) func `Hidden sandbox credits cannot be spent`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("hints", "1", app: "chess", .sandbox))
        let spend = Spend(
            account: account(1), scope: Scope(app: "chess", environment: .sandbox), currency: "hints", amount: 1,
            idempotencyKey: "k")
        let closed = RecordingContext(catalog: try catalog(sandbox: #""nobody""#), date: today)
        await #expect(throws: LedgerRefusal.insufficientBalance) { try await ledger.ledger.spend(spend, in: closed) }
        #expect(try await ledger.ledger.spend(spend, in: try ledger.context()) == 0)
    }

    /// One ID in three environments is three purchases.
    @Test(arguments: LedgerKind.allCases)
    func `Purchases and balances of three environments are kept apart`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let environments = InAppPurchase.Environment.known
        for (number, environment) in environments.enumerated() {
            try await ledger.record(
                receipt("\(number)"), bought("hints", "1", app: "chess", environment, quantity: number + 1))
        }
        try await ledger.record(receipt("hangman"), bought("hints", "1", .sandbox))
        var balances: [Credits] = []
        for app in ["chess", "hangman"] {
            for environment in environments {
                let scope = Scope(app: BundleID(stored: app), environment: environment)
                balances.append(
                    try await ledger.ledger.balances(of: account(1), scope: scope, in: try ledger.context()))
            }
        }
        #expect(balances == [["hints": 1], ["hints": 2], ["hints": 3], [:], [:], [:]])
        await #expect(throws: LedgerRefusal.insufficientBalance) { try await ledger.spend(2, key: "k", app: "chess") }
    }
}
