import Crypto
import Foundation
import InAppPurchase

/// A signing key with its number.
struct ManifestKey: Sendable {
    let number: Int
    let created: Date
    let secret: Curve25519.Signing.PrivateKey

    func isOutdated(at date: Date) -> Bool { date.timeIntervalSince(created) > ManifestKeys.rotationAge }
}

extension ManifestKey {
    private struct Stored: Codable {
        var number: Int
        /// Milliseconds since 1970.
        var created: Int
        var secret: Data
    }

    init(stored value: Data, as name: String) throws(ManifestKeyError) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: value), stored.number > 0,
            stored.number < .max, let secret = try? Curve25519.Signing.PrivateKey(rawRepresentation: stored.secret)
        else { throw ManifestKeyError(name: name) }
        self.init(number: stored.number, created: Date(milliseconds: stored.created), secret: secret)
    }

    func encoded() throws -> Data {
        try JSONEncoder().encode(
            Stored(number: number, created: created.milliseconds, secret: secret.rawRepresentation))
    }
}
