/// The App Store environment of a transaction. Part of every key, so that sandbox and production purchases never mix.
///
/// Source: `environment` of JWSTransactionDecodedPayload.
public enum Environment: String, Hashable, Codable, Sendable, CaseIterable {
    /// Purchases in apps from the App Store.
    case production = "Production"
    /// The sandbox, TestFlight and App Review.
    case sandbox = "Sandbox"
    /// Local StoreKit testing in Xcode.
    case xcode = "Xcode"
}
