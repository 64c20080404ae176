import Crypto
package import Foundation
import InAppPurchase

/// Signs the links that open content, and checks them without asking anybody.
///
/// A grant is `<key number>.<expiry>.<HMAC-SHA256>`: decimal digits, seconds since 1970, and base64url without padding
/// (RFC 4648 §5). It opens the content with one SHA-256.
package struct GrantSigner: Sendable {
    /// Long enough to download a list of files, short enough that a link that leaks is soon worth nothing.
    package static let lifetime: TimeInterval = 15 * 60
    /// No grant of ours is longer, so nothing longer is looked at.
    package static let maximumCharacters = 96

    package let keys: GrantKeys

    package init(keys: GrantKeys) { self.keys = keys }

    /// When grants that are signed now end, in whole seconds.
    package static func expiry(at date: Date) -> Date {
        Date(timeIntervalSince1970: (date.timeIntervalSince1970 + lifetime).rounded(.down))
    }

    /// The grant that opens the content until it expires. The same arguments give the same grant while the key lasts.
    ///
    /// - Parameters:
    ///   - sha256: of the content, in lower-case hexadecimal.
    ///   - expires: as ``expiry(at:)`` gives it; fractions of a second are dropped.
    ///   - date: now; it selects the key.
    package func grant(for sha256: String, expires: Date, at date: Date) -> String {
        grant(for: sha256, expires: expires.wholeSeconds, key: keys.signing(at: date))
    }

    /// Whether the grant opens the content now. It does not say why not: a wrong, altered or stale one are all alike.
    ///
    /// The whole text is made anew from its key number and expiry and compared in constant time, so no other spelling
    /// of the same bits opens anything.
    package func opens(_ sha256: String, with grant: String, at date: Date) -> Bool {
        end(of: grant, opening: sha256, at: date) != nil
    }

    /// When the grant stops to open the content; nil where it does not open it now.
    package func end(of grant: String, opening sha256: String, at date: Date) -> Date? {
        guard grant.utf8.count <= Self.maximumCharacters else { return nil }
        let parts = grant.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let number = parts.first.flatMap({ Int($0) }), let key = keys.key(number: number),
            let expires = parts.dropFirst().first.flatMap({ Int($0) })
        else { return nil }
        let genuine = self.grant(for: sha256, expires: expires, key: key)
        // Digests compare in constant time, and leave no doubt about texts of different lengths.
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
    /// Since 1970; 0, long past, for what 64 bits do not hold.
    fileprivate var wholeSeconds: Int { Int(exactly: timeIntervalSince1970.rounded(.down)) ?? 0 }
}
