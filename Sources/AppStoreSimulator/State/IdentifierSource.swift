import Basics
import Foundation
import InAppPurchase

/// Gives out the store's decimal identifiers, each of them once, also after a restart and beside other processes.
struct IdentifierSource: Sendable {
    /// The store's identifiers are 2000 and twelve digits.
    static let range = 0..<1_000_000_000_000
    /// With a million identifiers given out, so many draws in a row are taken once in 10^48.
    static let draws = 8

    struct Exhausted: Error {}

    let store: any KeyValueStore
    /// A number of ``range``, at random.
    let draw: @Sendable () -> Int

    /// - Throws: what the key/value store throws; ``Exhausted`` where every draw was taken.
    func next() async throws -> String {
        for _ in 0..<Self.draws {
            let identifier = String(2_000_000_000_000_000 + draw())
            let claim = Data(UUID().text.utf8)
            let standing = try await store.establish(claim, forKey: "simulator/identifiers/\(identifier)")
            if standing == claim { return identifier }
        }
        throw Exhausted()
    }
}
