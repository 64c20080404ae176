import Basics
import Foundation
import InAppPurchase

/// Issues unique decimal identifiers, also after a restart and beside other processes.
struct IdentifierSource: Sendable {
    /// The range of the random part: identifiers are 2000 and twelve digits.
    static let range = 0..<1_000_000_000_000
    /// The maximum number of draws. With a million identifiers issued, all of them collide once in 10^48.
    static let draws = 8

    struct Unavailable: Error {}

    let store: any KeyValueStore
    /// Draws a random number of ``range``.
    let draw: @Sendable () -> Int

    /// - Throws: what the key/value store throws; ``Unavailable`` if every number drawn was in use.
    func next() async throws -> String {
        for _ in 0..<Self.draws {
            let identifier = String(2_000_000_000_000_000 + draw())
            let claim = Data(UUID().text.utf8)
            let standing = try await store.establish(claim, forKey: "simulator/identifiers/\(identifier)")
            if standing == claim { return identifier }
        }
        throw Unavailable()
    }
}
