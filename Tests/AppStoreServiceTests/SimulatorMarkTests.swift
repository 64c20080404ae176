import Foundation
import InAppPurchase
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore

/// Play money is never mistaken for real money, nor real money for play money.
@Suite struct SimulatorMarkTests {
    enum Past: String, CaseIterable {
        case fresh, simulated, played, real

        /// A ledger with this past.
        var ledger: SQLLedger {
            get async throws {
                let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
                if self == .simulated || self == .played { try await SimulatorMark.check(ledger, isSimulator: true) }
                if self == .played || self == .real {
                    try await ledger.createAccount(
                        AccountID(UUID()), token: Data([1]), recoveryCode: Data([2]), at: World.start)
                }
                return ledger
            }
        }
    }

    static let table: [(past: Past, isSimulator: Bool, refusal: String?)] = [
        (.fresh, false, nil), (.fresh, true, nil),
        (.real, false, nil), (.real, true, "the setting simulator needs one of its own"),
        (.simulated, true, nil), (.simulated, false, "serve it with --simulator"),
        (.played, true, nil), (.played, false, "serve it with --simulator"),
    ]

    @Test func `A ledger is served with a simulator only if it is marked or fresh`() async throws {
        for (past, isSimulator, refusal) in Self.table {
            let ledger = try await past.ledger
            for _ in 0..<2 {
                do {
                    try await SimulatorMark.check(ledger, isSimulator: isSimulator)
                    #expect(refusal == nil, "\(past) \(isSimulator)")
                } catch let failure as CommandError {
                    let words = try #require(refusal, "\(past) \(isSimulator)")
                    #expect(failure.description.contains(words))
                }
            }
        }
    }

    @Test func `A server of real purchases does not start on a marked ledger`() async throws {
        for (past, isSimulator) in [(Past.played, "false"), (.real, "true")] {
            let ledger = try await past.ledger
            await #expect(throws: CommandError.self, "\(past)") {
                try await World.run(ledger: ledger, environment: ["QUARTERMASTER_SIMULATOR": isSimulator]) { _ in
                    Issue.record("served")
                }
            }
        }
    }
}
