/// The App Store environment a transaction comes from. Part of every key, so that test money never mixes with real.
///
/// Source: `environment` of JWSTransactionDecodedPayload.
public enum Environment: String, Hashable, Codable, Sendable, CaseIterable {
    case production = "Production"
    /// Sandbox, TestFlight and App Review.
    case sandbox = "Sandbox"
    case xcode = "Xcode"
}
