package import HTTPTypes

extension HTTPField.Name {
    /// The server's time, in a 304 to a request for entitlements or a manifest.
    package static let quartermasterAt = Self("Quartermaster-At")!
    /// The nonce by which a client recognises a signed answer that was made for its request.
    package static let quartermasterNonce = Self("Quartermaster-Nonce")!
    /// The signed statement that a version is the newest one (a JWS), in a 304 to a request for a manifest.
    package static let quartermasterFresh = Self("Quartermaster-Fresh")!
}
