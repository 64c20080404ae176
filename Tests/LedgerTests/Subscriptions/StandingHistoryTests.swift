import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerSQL

/// After any acts accounts are answered what all their purchases say, and their credits are what these earn.
@Suite struct StandingHistoryTests {
    private static let steps = 60
    /// The steps after which everything that is stored is compared, which takes longer.
    private static let stepsToComparison = 4
    /// The number of histories on the fastest database. Set `QUARTERMASTER_STANDING_HISTORIES` for a longer run.
    private static let count =
        ProcessInfo.processInfo.environment["QUARTERMASTER_STANDING_HISTORIES"].flatMap { UInt64($0) } ?? 16
    /// Some that went wrong once, and some more.
    static let seeds = [31, 194] + Array(100..<100 + count)

    /// A server, and the handlers of its catalog.
    private typealias Server = (ledger: SQLLedger, handlers: [any ProductHandler.Type])

    private func live(
        _ seed: UInt64, on test: TestLedger, by servers: [Server]
    ) async throws -> (condensed: Int, all: Int) {
        var maker = StandingHistoryMaker(seed: seed)
        var generator = SeededGenerator(seed: seed &+ 1_000)
        try await test.join(1, 2, 3)
        var answers = (condensed: 0, all: 0)
        for step in 0..<Self.steps {
            let writer = servers.randomElement(using: &generator) ?? servers[0]
            maker.handlers = writer.handlers
            try await maker.act(on: writer.ledger)
            for digit in [UInt8(1), 2, 3] {
                let server = servers.randomElement(using: &generator) ?? servers[0]
                maker.handlers = server.handlers
                let context = try maker.context()
                let (answered, folded, isCondensed) = try await server.ledger.read { rows in
                    let recorder = ReceiptRecorder(rows, context)
                    let folded = try recorder.state(of: account(digit)).entitlements
                    let answered = try recorder.answers(of: account(digit))
                    if case .condensed = answered { return (answered.entitlements, folded, true) }
                    return (answered.entitlements, folded, false)
                }
                try #require(answered == folded, "account \(digit) after step \(step)")
                answers.all += 1
                if isCondensed { answers.condensed += 1 }
            }
            guard step % Self.stepsToComparison == 0 || step == Self.steps - 1 else { continue }
            let differences = try await test.differences()
            try #require(differences == [], "step \(step): \(differences)")
        }
        return answers
    }

    @Test(arguments: seeds) func isAsAllPurchasesSay(seed: UInt64) async throws {
        let test = try LedgerKind.sqliteInMemory.open()
        let answers = try await live(seed, on: test, by: [(try #require(test.ledger as? SQLLedger), standardHandlers)])
        #expect(answers.condensed * 2 > answers.all)
    }

    @Test(arguments: [LedgerKind.sqliteInFile, .postgres], [41, 42] as [UInt64])
    func onOtherDatabases(kind: LedgerKind, seed: UInt64) async throws {
        let test = try kind.open()
        let answers = try await live(seed, on: test, by: [(try #require(test.ledger as? SQLLedger), standardHandlers)])
        #expect(answers.condensed * 2 > answers.all)
    }

    /// Two servers whose handlers condense otherwise write to one ledger in turn.
    @Test(arguments: [LedgerKind.sqliteInMemory, .postgres], [61, 62] as [UInt64])
    func byServersOfTwoVersions(kind: LedgerKind, seed: UInt64) async throws {
        let test = try kind.open()
        let first = try #require(test.ledger as? SQLLedger)
        let newer = standardHandlers.filter { $0.productType != .consumable } + [NewerConsumable.self]
        let second = SQLLedger(first.database, handlers: newer, onCommit: { _ in })
        _ = try await live(seed, on: test, by: [(first, standardHandlers), (second, newer)])
    }
}
