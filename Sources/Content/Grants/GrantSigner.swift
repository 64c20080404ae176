import Basics
import Crypto
package import Foundation

/// Signs the links to content, and verifies them without a database.
///
/// A grant is `<key number>.<expiry>.<HMAC-SHA256>`: decimal digits, seconds since 1970, and base64url without padding
/// (RFC 4648 §5). It opens the content with one SHA-256.
package struct GrantSigner: Sendable {
    /// How long a grant is valid: enough to download a list of files, short enough that a leaked link is soon
    /// worthless.
    package static let lifetime: TimeInterval = 15 * 60
    /// The maximum length of a grant: no valid one is longer, so longer ones are refused unparsed.
    package static let maximumCharacters = 96

    package let keys: GrantKeys

    package init(keys: GrantKeys) { self.keys = keys }

    /// The expiry of grants that are signed now, in whole seconds.
    ///
    /// - Parameter lifetime: at most some days, during which the keys stay valid.
    package static func expiry(at date: Date, lifetime: TimeInterval = lifetime) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 + lifetime).rounded(.down))
    }

    /// The grant that opens the content until it expires. The same arguments give the same grant while the key is in
    /// use.
    ///
    /// - Parameters:
    ///   - sha256: of the content, in lower-case hexadecimal.
    ///   - expires: as ``expiry(at:lifetime:)`` gives it; fractions of a second are dropped.
    ///   - date: now; it selects the key.
    package func grant(for sha256: String, expires: Date, at date: Date) -> String {
        grant(for: sha256, expires: expires.wholeSeconds, key: keys.signing(at: date))
    }

    /// Whether the grant opens the content now. Wrong, altered and expired grants are not distinguished.
    ///
    /// The whole grant is recomputed from its key number and expiry and compared in constant time, so no other encoding
    /// of the same bits is accepted.
    package func opens(_ sha256: String, with grant: String, at date: Date) -> Bool {
        end(of: grant, opening: sha256, at: date) != nil
    }

    /// The expiry of the grant; `nil` if it does not open the content now.
    package func end(of grant: String, opening sha256: String, at date: Date) -> Date? {
        guard grant.utf8.count <= Self.maximumCharacters else { return nil }
        let parts = grant.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let number = parts.first.flatMap({ Int($0) }), let key = keys.key(number: number),
            let expires = parts.dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        let genuine = self.grant(for: sha256, expires: expires, key: key)
        // Digests compare in constant time, whatever the lengths of the strings.
        let isGenuine = SHA256.hash(data: Data(grant.utf8)) == SHA256.hash(data: Data(genuine.utf8))
        return isGenuine && date.timeIntervalSince1970 < Double(expires)
            ? Date(timeIntervalSince1970: Double(expires)) : nil
    }

    private func grant(for sha256: String, expires: Int, key: GrantKey) -> String {
        let terms = "\(key.number).\(expires)."
        let code = HMAC<SHA256>.authenticationCode(for: Data((terms + sha256).utf8), using: key.secret)
        return terms + Data(code).base64URL
    }
}

extension Date {
    /// Whole seconds since 1970; 0, long past, if 64 bits do not hold them.
    fileprivate var wholeSeconds: Int { Int(exactly: timeIntervalSince1970.rounded(.down)) ?? 0 }
}
