/// An environment of the App Store, as the server names it. Unknown ones are kept.
public struct StoreEnvironment: RawRepresentable, Hashable, Sendable, Codable {
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Purchases for money.
    public static let production = Self(rawValue: "Production")
    /// Purchases of testers: TestFlight, App Review and sandbox accounts.
    public static let sandbox = Self(rawValue: "Sandbox")
    /// Purchases in Xcode's StoreKit testing.
    public static let xcode = Self(rawValue: "Xcode")
}
