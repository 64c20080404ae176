import ArgumentParser
import Basics
import Foundation
import InAppPurchase

/// The idempotency key of an act on the command line.
enum SupportKey {
    /// The number of random bytes of a generated key.
    private static let randomBytes = 16

    /// - Throws: `ValidationError` for a key that is empty or too long.
    static func check(_ key: String?) throws {
        guard (key?.utf8.count ?? 1) <= Limits.idempotencyKeyCharacters, key != "" else {
            throw ValidationError("--key: 1 to \(Limits.idempotencyKeyCharacters) characters")
        }
    }

    /// The given key, or a generated one.
    static func chosen(_ key: String?) -> String { key ?? "command-\(Data(systemRandomBytes(randomBytes)).hex)" }
}
