import Basics
import Foundation
import ServerHTTP

/// The idempotency key of a form, so that one that is sent twice acts once.
enum FormKey {
    private static let bytes = 16

    static func new(_ random: RandomBytes) -> String { Data(random(bytes)).hex }

    /// Whether a form can have been sent with it.
    static func isPossible(_ text: String) -> Bool { !text.isEmpty && text.count <= Limits.idempotencyKeyCharacters }
}
