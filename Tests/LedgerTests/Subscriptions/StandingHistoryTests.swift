import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import Ledger
@testable import LedgerSQL

/// After any acts, accounts are answered what all their purchases say, and their credits are what these earn.
@Suite struct StandingHistoryTests {
    /// The number of histories on the fastest database. Set `QUARTERMASTER_STANDING_HISTORIES` for a longer run, in
    /// which most are shorter.
    private static let count =
        ProcessInfo.processInfo.environment["QUARTERMASTER_STANDING_HISTORIES"].flatMap { UInt64($0) }
        ?? UInt64(campaign(of: longCount).count)
    private static let longCount: UInt64 = 16
    private static let longest = 60
    private static let first: UInt64 = 100
    private static let failedOnce: [UInt64] = [31, 194, 1267, 4540, 15_310]
    private static let together: UInt64 = 20

    /// The seeds of histories whose answers are counted together: long ones alone, and one in a longer run with shorter
    /// ones.
    private static var groups: [[UInt64]] {
        let alone = failedOnce + Array(first..<first + min(count, longCount))
        let rest = first + longCount..<max(first + count, first + longCount)
        return alone.map { [$0] }
            + stride(from: rest.lowerBound, to: rest.upperBound, by: Int(together)).map {
                Array($0..<min($0 + together, rest.upperBound))
            }
    }

    /// The acts of a history, and those after which everything stored is compared, which takes longer. In a longer run
    /// one history in twenty is long.
    private static func steps(of seed: UInt64) -> (all: Int, toComparison: Int) {
        if seed < first + longCount || failedOnce.contains(seed) { return (longest, 4) }
        return seed % together == 0 ? (longest, 20) : (6 + Int(seed % 11), 16)
    }

    /// A server, and the handlers of its catalog.
    private typealias Server = (ledger: SQLLedger, handlers: [any ProductHandler.Type])

    private func live(
        _ seed: UInt64, on test: TestLedger, by servers: [Server]
    ) async throws -> (condensed: Int, all: Int) {
        var maker = StandingHistoryMaker(seed: seed)
        var generator = SeededGenerator(seed: seed &+ 1_000)
        try await test.join(1, 2, 3)
        var answers = (condensed: 0, all: 0)
        let steps = Self.steps(of: seed)
        for step in 0..<steps.all {
            let writer = servers.randomElement(using: &generator) ?? servers[0]
            maker.handlers = writer.handlers
            try await maker.act(on: writer.ledger)
            for digit in [UInt8(1), 2, 3] {
                let server = servers.randomElement(using: &generator) ?? servers[0]
                maker.handlers = server.handlers
                let context = try maker.context()
                let drawn = try maker.pending(of: account(digit))
                let (answered, folded, isCondensed) = try await server.ledger.read { rows in
                    let owners = try rows.originalTransactions(Set(drawn.map(\.transaction.originalTransactionKey)))
                    // A purchase that another account owns gives no access.
                    let pending = drawn.filter {
                        owners[$0.transaction.originalTransactionKey].map { $0.owner == account(digit) } ?? true
                    }
                    let recorder = ReceiptRecorder(rows, context)
                    let state = try recorder.state(of: account(digit))
                    let folded = [state.entitlements, state.entitlements(with: pending)]
                    let answered = try recorder.answers(of: account(digit))
                    let wider = try recorder.bought(by: account(digit), with: pending)
                    if case .condensed = answered { return ([answered.entitlements, wider], folded, true) }
                    return ([answered.entitlements, wider], folded, false)
                }
                try #require(answered == folded, "seed \(seed), account \(digit) after step \(step)")
                answers.all += 1
                if isCondensed { answers.condensed += 1 }
            }
            guard step % steps.toComparison == 0 || step == steps.all - 1 else { continue }
            let differences = try await test.differences()
            try #require(differences == [], "seed \(seed), step \(step): \(differences)")
        }
        return answers
    }

    @Test(arguments: groups)
    func `Answers from standings are those of all purchases after any acts`(seeds: [UInt64]) async throws {
        var (condensed, all) = (0, 0)
        for seed in seeds {
            let test = try LedgerKind.sqliteInMemory.open()
            let ledger = try #require(test.ledger as? SQLLedger)
            let answers = try await live(seed, on: test, by: [(ledger, standardHandlers)])
            (condensed, all) = (condensed + answers.condensed, all + answers.all)
        }
        // A few may be about what no handler condenses, as in half of history 7280, but not all of a group.
        #expect(condensed * 2 > all)
    }

    @Test(arguments: [LedgerKind.sqliteInFile, .postgres], [41, 42] as [UInt64])
    func `Answers from standings are those of all purchases on other databases`(kind: LedgerKind, seed: UInt64)
        async throws
    {
        let test = try kind.open()
        let answers = try await live(seed, on: test, by: [(try #require(test.ledger as? SQLLedger), standardHandlers)])
        #expect(answers.condensed * 2 > answers.all)
    }

    /// Two servers whose handlers condense differently write to one ledger in turn.
    @Test(arguments: [LedgerKind.sqliteInMemory, .postgres], [61, 62] as [UInt64])
    func `Standings of servers of two versions answer as all purchases do`(kind: LedgerKind, seed: UInt64) async throws
    {
        let test = try kind.open()
        let first = try #require(test.ledger as? SQLLedger)
        let newer = standardHandlers.filter { $0.productType != .consumable } + [NewerConsumable.self]
        let second = SQLLedger(first.database, handlers: newer, onCommit: { _ in })
        _ = try await live(seed, on: test, by: [(first, standardHandlers), (second, newer)])
    }
}
