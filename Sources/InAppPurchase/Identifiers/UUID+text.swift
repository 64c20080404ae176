import Basics
public import Foundation

extension UUID {
    /// The UUID in lower case, as StoreKit writes an `appAccountToken` and as the API shows account IDs.
    public var text: String {
        // Not `uuidString.lowercased()`, which formats and then reads each character again: every row has such texts.
        withUnsafeBytes(of: uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { digits in
                var place = 0
                for (number, byte) in bytes.enumerated() {
                    if number == 4 || number == 6 || number == 8 || number == 10 {
                        digits[place] = UInt8(ascii: "-")
                        place += 1
                    }
                    digits[place] = (byte >> 4).hexDigit
                    digits[place + 1] = (byte & 0x0f).hexDigit
                    place += 2
                }
                return place
            }
        }
    }
}

extension UUID {
    /// Parses the text of a UUID, in either case: `nil` for anything but 36 characters of the form of RFC 9562 §4.
    ///
    /// By hand: `UUID(uuidString:)` reads it with `sscanf`, which costs more than the row that it stands in.
    package init?(text: String) {
        guard text.utf8.count == 36 else { return nil }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        let isValid = withUnsafeMutableBytes(of: &uuid) { bytes in
            var place = 0
            for (number, character) in text.utf8.enumerated() {
                if number == 8 || number == 13 || number == 18 || number == 23 {
                    guard character == UInt8(ascii: "-") else { return false }
                    continue
                }
                guard let digit = character.hexValue else { return false }
                bytes[place / 2] = bytes[place / 2] << 4 | digit
                place += 1
            }
            return place == 32
        }
        guard isValid else { return nil }
        self.init(uuid: uuid)
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
