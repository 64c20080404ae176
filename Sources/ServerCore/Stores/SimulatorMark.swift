package import Basics
import Foundation
package import Ledger
import StrictJSON

/// Marks a ledger as one of a simulated App Store, so that its purchases are never taken for real ones.
package enum SimulatorMark {
    private static let key = "simulator/mark"

    /// - Throws: ``CommandError`` if a marked ledger is to serve without the simulator, or the other way round.
    package static func check(_ ledger: any LedgerMaintenance & KeyValueStore, isSimulator: Bool) async throws {
        let isMarked = try await ledger.value(forKey: key) != nil
        switch (isMarked, isSimulator) {
        case (true, true), (false, false): return
        case (true, false):
            throw CommandError("the ledger holds purchases of a simulated App Store; serve it with --simulator")
        case (false, true):
            guard try await ledger.isEmpty() else {
                throw CommandError("the ledger holds real purchases; --simulator needs one of its own (--database)")
            }
            _ = try await ledger.establish(Data("1".utf8), forKey: key)
        }
    }
}
