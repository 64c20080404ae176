import ArgumentParser
import Basics
import Foundation
import InAppPurchase

/// The idempotency key of an act on the command line.
enum SupportKey {
    /// The random bytes of a key that nobody chose.
    private static let randomBytes = 16

    /// - Throws: `ValidationError` for a key of a length that none has.
    static func check(_ key: String?) throws {
        guard (key?.utf8.count ?? 1) <= Limits.idempotencyKeyCharacters, key != "" else {
            throw ValidationError("--key: 1 to \(Limits.idempotencyKeyCharacters) characters")
        }
    }

    /// The key, or a new one.
    static func chosen(_ key: String?) -> String { key ?? "command-\(Data(systemRandomBytes(randomBytes)).hex)" }
}
