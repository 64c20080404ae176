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
