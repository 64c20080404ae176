import Basics
public import Foundation

/// The identifier of an app, `CFBundleIdentifier`, compared exactly and with case.
public typealias BundleID = String

/// A product's ID in App Store Connect.
public typealias ProductID = String

/// A transaction's ID: decimal digits of up to 64 bits, stored as text.
public typealias TransactionID = String

/// The name of a unit of credits: `hints`, `coins`.
public typealias Currency = String

/// Credits by currency. Amounts are whole numbers.
public typealias Credits = [Currency: Int]

/// A player's account on this server; the app passes it to StoreKit as `appAccountToken`.
public typealias AccountID = UUID

/// The name of a bundle, which is its folder in `content/`.
public typealias BundleName = String

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
