import Crypto
import Foundation

/// One key, by its number.
struct GrantKey: Sendable {
    let number: Int
    let created: Date
    let secret: SymmetricKey

    func isOutdated(at date: Date) -> Bool { date.timeIntervalSince(created) > GrantKeys.rotationAge }
}
