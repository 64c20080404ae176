/// Why what the server is said to have stated about entitlements was not accepted, or no longer counts: for the app's
/// diagnostics. What was accepted before goes on until its end.
public struct EntitlementRefusal: RawRepresentable, Hashable, Sendable, Error {
    public let rawValue: String

    public init(rawValue: String) { self.rawValue = rawValue }

    /// The answer has no signature.
    public static let unsigned = Self(rawValue: "unsigned")
    /// No trusted key has signed it, or it says something else than entitlements.
    public static let signature = Self(rawValue: "signature")
    /// It is about another account.
    public static let otherAccount = Self(rawValue: "otherAccount")
    /// It is about another app.
    public static let otherApp = Self(rawValue: "otherApp")
    /// It is about another environment of the store.
    public static let otherEnvironment = Self(rawValue: "otherEnvironment")
    /// It answers another request.
    public static let otherRequest = Self(rawValue: "otherRequest")
    /// The server said something later before.
    public static let older = Self(rawValue: "older")
    /// The server was not asked for so long that access which ends is closed.
    public static let expired = Self(rawValue: "expired")
}
