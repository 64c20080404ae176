public import Foundation

/// The identifier of an app, `CFBundleIdentifier`, compared exactly and with case.
public typealias BundleID = String

/// A product's identifier as App Store Connect has it.
public typealias ProductID = String

/// A transaction's identifier: decimal digits of up to 64 bits, kept as text.
public typealias TransactionID = String

/// What credits are counted in: `hints`, `coins`.
public typealias Currency = String

/// Credits by currency. Amounts are whole numbers.
public typealias Credits = [Currency: Int]

/// The player as this server knows them. It is what the app passes to StoreKit as `appAccountToken`.
public typealias AccountID = UUID

/// The name of a bundle, the first folder below `content/`.
public typealias BundleName = String

extension UUID {
    /// Lower case, as StoreKit writes an `appAccountToken` and as the wire contract shows account IDs.
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
