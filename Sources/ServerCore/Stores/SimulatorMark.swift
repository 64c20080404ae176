package import Basics
import Foundation
package import Ledger
import StrictJSON

/// Marks a ledger as one of a simulated App Store, so that its purchases are never taken for real ones.
package enum SimulatorMark {
    private static let key = "simulator/mark"

    /// Whether the ledger is marked.
    package static func isSet(on ledger: any KeyValueStore) async throws -> Bool {
        try await ledger.value(forKey: key) != nil
    }

    /// - Throws: ``CommandError`` if a marked ledger is to serve without the simulator, or the other way round.
    package static func check(_ ledger: any LedgerMaintenance & KeyValueStore, isSimulator: Bool) async throws {
        switch (try await isSet(on: ledger), isSimulator) {
        case (true, true), (false, false): return
        case (true, false):
            throw CommandError("the ledger holds purchases of a simulated App Store; serve it with --simulator")
        case (false, true):
            guard try await ledger.isEmpty() else {
                throw CommandError(
                    "the ledger holds real purchases; the setting simulator needs one of its own (--database)")
            }
            _ = try await ledger.establish(Data("1".utf8), forKey: key)
        }
    }
}
