import Foundation

// The members of an export's lines: hashes in lower-case hexadecimal, times in milliseconds since 1970 UTC. A line that
// lacks a member, or has an unknown one, was not written by this code, and is refused.

extension Data {
    /// Decodes hexadecimal; `nil` if it is invalid.
    init?(hex text: String) {
        let digits = text.utf8.map { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes = Data(capacity: digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = digits[index], let low = digits[index + 1] else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        self = bytes
    }
}
