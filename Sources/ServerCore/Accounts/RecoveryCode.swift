import Crypto
package import Foundation
package import ServerHTTP

/// The secret that opens a session on another device of the same player: 120 random bits that can be read aloud, as
/// `KX4M-…`.
///
/// The alphabet is Crockford's base 32, which leaves out I, L, O and U.
package struct RecoveryCode {
    package static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    package static let length = 24
    private static let group = 4

    package var text: String

    package init(_ random: RandomBytes) {
        let letters = random(Self.length).map { Self.letters[Int($0) % Self.letters.count] }
        text = stride(from: 0, to: letters.count, by: Self.group)
            .map { String(letters[$0..<min($0 + Self.group, letters.count)]) }
            .joined(separator: "-")
    }

    /// The SHA-256 of the code's letters and digits; characters that are easily misread are corrected first.
    package static func digest(of text: String) -> Data {
        let misread: [Character: Character] = ["O": "0", "I": "1", "L": "1"]
        let plain = text.uppercased().filter { $0.isLetter || $0.isNumber }.map { misread[$0] ?? $0 }
        return Data(SHA256.hash(data: Data(String(plain).utf8)))
    }
}
