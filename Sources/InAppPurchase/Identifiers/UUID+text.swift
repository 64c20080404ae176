import Basics
public import Foundation

extension UUID {
    /// The UUID in lower case, as StoreKit writes an `appAccountToken` and as the API shows account IDs.
    public var text: String {
        // Not `uuidString.lowercased()`, which formats and then reads each character again: every row has such texts.
        var digits: [UInt8] = []
        digits.reserveCapacity(36)
        withUnsafeBytes(of: uuid) { bytes in
            for (place, byte) in bytes.enumerated() {
                if place == 4 || place == 6 || place == 8 || place == 10 { digits.append(UInt8(ascii: "-")) }
                digits.append(hexOf: byte)
            }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension UUID {
    /// Parses the text of a UUID, in either case: `nil` for anything but 36 characters of the form of RFC 9562 §4.
    ///
    /// By hand: `UUID(uuidString:)` reads it with `sscanf`, which costs more than the row that it stands in.
    package init?(text: String) {
        guard text.utf8.count == 36 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var high: UInt8?
        for (place, character) in text.utf8.enumerated() {
            if place == 8 || place == 13 || place == 18 || place == 23 {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = character.hexValue else { return nil }
            if let first = high { bytes.append(first << 4 | digit) }
            high = high == nil ? digit : nil
        }
        guard bytes.count == 16 else { return nil }
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit, in either case; `nil` for other characters.
    fileprivate var hexValue: UInt8? {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self &- UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self &- UInt8(ascii: "a") &+ 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self &- UInt8(ascii: "A") &+ 10
        default: nil
        }
    }
}
