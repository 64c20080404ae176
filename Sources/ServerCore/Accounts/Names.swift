import Basics
package import Foundation
package import InAppPurchase
package import ServerHTTP

/// Generates the IDs of accounts, receipts, deliveries and grants.
package enum Names {
    /// A random UUID (version 4, RFC 9562 §5.4).
    package static func account(_ random: RandomBytes) -> AccountID {
        var bytes = random(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes.withUnsafeBytes { AccountID(UUID(uuid: $0.loadUnaligned(as: uuid_t.self))) }
    }

    /// `r_`, the milliseconds since 1970 in 48 bits, and 80 random bits. As strings they sort by time: receipts that
    /// arrive together are stored together, so that each changes few pages of an index.
    package static func receipt(_ random: RandomBytes, at date: Date) -> String {
        let time = UInt64(clamping: date.milliseconds) & 0xffff_ffff_ffff
        let bits = random(10).reduce(UInt128(time)) { $0 << 8 | UInt128($1) }
        // 128 bits are 21 characters and two bits.
        let characters = (0..<22).map { index in
            let six = index < 21 ? bits >> UInt128(122 - 6 * index) : bits << 4
            return sortedCharacters[Int(truncatingIfNeeded: six & 0x3f)]
        }
        return "r_" + String(decoding: characters, as: UTF8.self)
    }

    /// The characters of base64url in the order of their codes, which is not that of base64url.
    private static let sortedCharacters = Array("-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz".utf8)

    /// A placeholder as long as the ID of a delivery, which no delivery has.
    static let noDelivery = "d_" + Data(repeating: 0, count: 16).base64URL

    /// `d_` and 128 random bits.
    package static func delivery(_ random: RandomBytes) -> String { "d_" + Data(random(16)).base64URL }

    /// `n_` and 128 random bits.
    package static func accountNote(_ random: RandomBytes) -> String { "n_" + Data(random(16)).base64URL }

    /// `g_` and 128 random bits.
    package static func grant(_ random: RandomBytes) -> String { "g_" + Data(random(16)).base64URL }
}
