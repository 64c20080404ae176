import Crypto
import Foundation
import InAppPurchase

/// Where random bytes come from: `count` in, as many bytes out, fit for keys.
typealias RandomBytes = @Sendable (_ count: Int) -> [UInt8]

/// The system's generator.
let systemRandomBytes: RandomBytes = { count in
    // Eight at a time: each word is a call of the system.
    var generator = SystemRandomNumberGenerator()
    let words = (0..<(count + 7) / 8).map { _ in generator.next() }
    return Array(words.withUnsafeBytes { $0.prefix(count) })
}

/// What proves to be an account's device. Known to the server by its SHA-256 only.
struct AccessToken {
    static let bytes = 32

    var text: String

    init(_ random: RandomBytes) {
        text = Data(random(Self.bytes)).base64URL
    }

    static func digest(of text: String) -> Data { Data(SHA256.hash(data: Data(text.utf8))) }
}

/// What lets another device of the same player in: 120 random bits that can be read aloud, as `KX4M-…`.
///
/// Letters are those of Crockford's base 32, which leaves out I, L, O and U.
struct RecoveryCode {
    static let letters = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    static let length = 24
    private static let group = 4

    var text: String

    init(_ random: RandomBytes) {
        let letters = random(Self.length).map { Self.letters[Int($0) % Self.letters.count] }
        text = stride(from: 0, to: letters.count, by: Self.group)
            .map { String(letters[$0..<min($0 + Self.group, letters.count)]) }
            .joined(separator: "-")
    }

    /// The SHA-256 of the code as its letters only; what is easily misread counts as what was meant.
    static func digest(of text: String) -> Data {
        let misread: [Character: Character] = ["O": "0", "I": "1", "L": "1"]
        let plain = text.uppercased().filter { $0.isLetter || $0.isNumber }.map { misread[$0] ?? $0 }
        return Data(SHA256.hash(data: Data(String(plain).utf8)))
    }
}

/// Names for accounts and receipts.
enum Names {
    /// A random UUID (RFC 9562 §5.4).
    static func account(_ random: RandomBytes) -> AccountID {
        var bytes = random(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes.withUnsafeBytes { AccountID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// `r_` and 128 random bits.
    static func receipt(_ random: RandomBytes) -> String { "r_" + Data(random(16)).base64URL }

    /// `d_` and 128 random bits.
    static func delivery(_ random: RandomBytes) -> String { "d_" + Data(random(16)).base64URL }
}
