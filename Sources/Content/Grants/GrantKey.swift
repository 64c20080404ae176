import Crypto
import Foundation

/// A numbered secret that grants are signed with.
struct GrantKey: Sendable {
    let number: Int
    let created: Date
    let secret: SymmetricKey

    func isOutdated(at date: Date) -> Bool { date.timeIntervalSince(created) > GrantKeys.rotationAge }
}
