import Foundation

/// A transaction as the store signed it. The server verifies it; the client believes nothing that it says.
public struct SignedTransaction: Sendable, Codable, Equatable {
    /// The transaction's ID, a number in decimal digits.
    public var id: String
    /// The product that was bought.
    public var productID: String
    /// The signed transaction in compact serialization. It is as good as the purchase: keep it out of logs.
    public var jws: String
    /// The environment in which it was made, or `nil` if the store did not say.
    public var environment: StoreEnvironment?

    public init(id: String, productID: String, jws: String, environment: StoreEnvironment? = nil) {
        self.id = id
        self.productID = productID
        self.jws = jws
        self.environment = environment
    }
}

extension SignedTransaction {
    /// Whether both state the same about the same purchase.
    ///
    /// A store signs a transaction again each time it hands it over, so that two copies of one state differ in the
    /// signature and in the members of `membersOfCopy`. A refund, for example, is another state.
    func statesTheSame(as other: Self) -> Bool {
        if self == other { return true }
        guard id == other.id, let statement, let others = other.statement else { return false }
        return statement == others
    }

    /// The members of a copy alone: when it was signed
    /// (https://developer.apple.com/documentation/appstoreserverapi/signeddate), and for which device, with a nonce
    /// (https://developer.apple.com/documentation/storekit/transaction/deviceverification).
    private static let membersOfCopy: Set<String> = ["signedDate", "deviceVerification", "deviceVerificationNonce"]

    /// The payload without the members that differ from copy to copy; `nil` if the string is no JWS in compact
    /// serialization.
    private var statement: [String: JSONValue]? {
        guard let payload = Self.payload(of: jws),
            let members = try? JSONDecoder().decode([String: JSONValue].self, from: payload)
        else { return nil }
        return members.filter { !Self.membersOfCopy.contains($0.key) }
    }

    /// The account for which it was bought, as it states itself; `nil` for one that was bought without, as with an
    /// offer code.
    var accountToken: UUID? {
        struct Statement: Decodable {
            var appAccountToken: UUID?
        }
        return Self.payload(of: jws).flatMap { try? JSONDecoder().decode(Statement.self, from: $0) }?.appAccountToken
    }

    /// The payload of a JWS, which nobody has verified; `nil` if the string is none in compact serialization.
    static func payload(of jws: String) -> Data? {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 3 ? Data(base64URL: parts[1]) : nil
    }
}

/// An environment of the App Store, as the server names it. Unknown ones are kept.
public struct StoreEnvironment: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// Purchases for money.
    public static let production = Self(rawValue: "Production")
    /// Purchases of testers: TestFlight, App Review and sandbox accounts.
    public static let sandbox = Self(rawValue: "Sandbox")
    /// Purchases in Xcode's StoreKit testing.
    public static let xcode = Self(rawValue: "Xcode")
}
