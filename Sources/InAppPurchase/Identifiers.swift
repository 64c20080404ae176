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
        withUnsafeBytes(of: uuid) { bytes in
            [bytes[..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]].map { $0.hex }
                .joined(separator: "-")
        }
    }
}
