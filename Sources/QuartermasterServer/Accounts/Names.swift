import Basics
import Foundation
import InAppPurchase

/// Generates the IDs of accounts, receipts, deliveries and grants.
enum Names {
    /// A random UUID (version 4, RFC 9562 §5.4).
    static func account(_ random: RandomBytes) -> AccountID {
        var bytes = random(16)
        bytes[6] = bytes[6] & 0x0f | 0x40
        bytes[8] = bytes[8] & 0x3f | 0x80
        return bytes.withUnsafeBytes { AccountID(UUID(uuid: $0.loadUnaligned(as: uuid_t.self))) }
    }

    /// `r_` and 128 random bits.
    static func receipt(_ random: RandomBytes) -> String { "r_" + Data(random(16)).base64URL }

    /// As long as the ID of a delivery, and none.
    static let noDelivery = "d_" + Data(repeating: 0, count: 16).base64URL

    /// `d_` and 128 random bits.
    static func delivery(_ random: RandomBytes) -> String { "d_" + Data(random(16)).base64URL }

    /// `g_` and 128 random bits.
    static func grant(_ random: RandomBytes) -> String { "g_" + Data(random(16)).base64URL }
}
