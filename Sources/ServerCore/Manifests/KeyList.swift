package import AuditSeal
import Basics
package import Foundation
import InAppPurchase
import ServerHTTP

/// The keys for which a root key vouches. It corresponds to what the root role of The Update Framework says of the
/// others (§5.3): a version that rises, an end, and one signature that suffices.
package struct KeyList: Codable, Equatable, Sendable {
    package struct Key: Codable, Equatable, Sendable {
        /// The thumbprint (RFC 7638).
        var kid: String
        /// From when it signs, in RFC 3339.
        var signsFrom: String
        /// The 32 bytes in base64url.
        var x: String
    }

    package private(set) var version: Int
    var at: String
    /// In RFC 3339: from then on apps accept it no more.
    package private(set) var expires: String
    package private(set) var keys: [Key]

    /// - Throws: ``KeyListError`` without a key.
    package init(version: Int, at date: Date, expires: Date, keys: [JSONWebKey]) throws(KeyListError) {
        self.version = version
        at = TimeFormat.wholeSeconds.text(of: date)
        self.expires = TimeFormat.wholeSeconds.text(of: expires)
        self.keys = keys.compactMap { key in
            guard let id = key.kid, let x = key.x, let from = key.signsFrom else { return nil }
            return Key(kid: id, signsFrom: from, x: x)
        }
        guard !self.keys.isEmpty else { throw KeyListError("there would be no key in the list") }
    }

    package func names(_ id: String) -> Bool { keys.contains { $0.kid == id } }

    /// ``expires``; the distant past if it is no time.
    package var end: Date { Date(rfc3339: expires) ?? .distantPast }
}

/// Why a list of keys is not accepted, in one line.
package struct KeyListError: Error, CustomStringConvertible, Sendable {
    package let description: String

    init(_ description: String) { self.description = description }
}
