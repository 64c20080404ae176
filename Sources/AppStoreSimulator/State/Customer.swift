import Crypto
import Foundation
import InAppPurchase

/// A customer: one Apple Account in one app and environment, whose purchases share an app receipt.
struct Customer: Hashable, Codable, Sendable {
    /// The name of the customer if a request names none.
    static let common = "common"

    var app: BundleID
    var environment: Environment
    var name: String

    /// - Parameter name: a UUID is the same customer in upper and lower case, as an `appAccountToken` is.
    init(app: BundleID, environment: Environment, name: String) {
        self.app = app
        self.environment = environment
        self.name = UUID(uuidString: name)?.text ?? name
    }

    /// Another customer of the same app and environment.
    func named(_ name: String) -> Customer { Customer(app: app, environment: environment, name: name) }

    /// 32 bytes that identify the customer.
    var digest: [UInt8] {
        // No app's ID has a line break, so that different customers never give the same string.
        Array(SHA256.hash(data: Data("\(app)\n\(environment.rawValue)\n\(name)".utf8)))
    }

    /// 64 hexadecimal digits, safe in a key of the key/value store.
    var key: String { Self.key(digest) }

    static func key(_ digest: some Sequence<UInt8>) -> String {
        digest.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// The customer's `appTransactionId`: decimal digits.
    var appTransactionID: String {
        let number = digest.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return String(700_000_000_000_000_000 + number % 100_000_000_000_000_000)
    }

    /// A stand-in for the device's `identifierForVendor`: 16 bytes.
    var deviceIdentifier: [UInt8] { Array(digest.prefix(16)) }

    /// The same as a UUID in upper case.
    var vendorIdentifier: String {
        let digits = Array(Self.key(deviceIdentifier).uppercased())
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}
