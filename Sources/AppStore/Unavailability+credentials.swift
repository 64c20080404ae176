public import StoreClient

extension Unavailability.Credential {
    /// The app's shared secret for `verifyReceipt`.
    public static let sharedSecret = Self(rawValue: "sharedSecret")
    /// The key for the App Store Server API: issuer ID, key ID, private key and bundle ID.
    public static let serverAPIKey = Self(rawValue: "serverAPIKey")
}
