import Crypto
import Foundation
import InAppPurchase

extension GrantKey {
    private struct Stored: Codable {
        var number: Int
        /// Milliseconds since 1970.
        var created: Int
        var secret: Data
    }

    /// Decodes a stored key.
    ///
    /// - Throws: ``GrantKeyError`` if the value is not a key.
    init(stored value: Data, as name: String) throws(GrantKeyError) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: value), stored.number > 0,
            stored.number < .max, stored.secret.count == GrantKeys.secretBytes
        else { throw .unreadable(name) }
        self.init(
            number: stored.number, created: Date(milliseconds: stored.created),
            secret: SymmetricKey(data: stored.secret))
    }

    func encoded() throws -> Data {
        let bytes = secret.withUnsafeBytes { Data($0) }
        guard bytes.count == GrantKeys.secretBytes else { throw GrantKeyError.secretLength(bytes.count) }
        return try JSONEncoder().encode(Stored(number: number, created: created.milliseconds, secret: bytes))
    }
}
