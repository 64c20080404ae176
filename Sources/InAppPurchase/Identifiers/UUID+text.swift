import Basics
public import Foundation

extension UUID {
    /// The UUID in lower case, as StoreKit writes an `appAccountToken` and as the API shows account IDs.
    public var text: String {
        // Not `uuidString.lowercased()`, which formats and then reads each character again: every row has such strings.
        withUnsafeBytes(of: uuid) { bytes in
            String(unsafeUninitializedCapacity: 36) { digits in
                var index = 0
                for (number, byte) in bytes.enumerated() {
                    if number == 4 || number == 6 || number == 8 || number == 10 {
                        digits[index] = UInt8(ascii: "-")
                        index += 1
                    }
                    digits[index] = (byte >> 4).hexDigit
                    digits[index + 1] = (byte & 0x0f).hexDigit
                    index += 2
                }
                return index
            }
        }
    }

    /// Parses a UUID string, in either case: `nil` for anything but 36 characters of the form of RFC 9562 §4.
    ///
    /// Parsed by hand: `UUID(uuidString:)` reads it with `sscanf`, which costs more than reading the rest of its row.
    package init?(text: String) {
        var text = text
        guard let uuid = text.withUTF8(Self.parsed) else { return nil }
        self.init(uuid: uuid)
    }

    private static func parsed(_ characters: UnsafeBufferPointer<UInt8>) -> uuid_t? {
        guard characters.count == 36 else { return nil }
        var uuid: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        // Errors are detected at the end: a branch for each character costs more than reading the rest.
        var wrong: UInt8 = 0
        withUnsafeMutableBytes(of: &uuid) { bytes in
            var index = 0
            for number in 0..<16 {
                if number == 4 || number == 6 || number == 8 || number == 10 {
                    wrong |= characters[index] ^ UInt8(ascii: "-")
                    index += 1
                }
                let (high, low) = (characters[index].hexValue, characters[index + 1].hexValue)
                wrong |= (high | low) & 0xf0
                bytes[number] = high << 4 | low
                index += 2
            }
        }
        return wrong == 0 ? uuid : nil
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit, in either case; 255 for other characters.
    fileprivate var hexValue: UInt8 {
        let (decimal, letter) = (self &- UInt8(ascii: "0"), (self | 0x20) &- UInt8(ascii: "a"))
        return decimal < 10 ? decimal : letter < 6 ? letter &+ 10 : .max
    }
}
