/// The limits of signed claims.
enum SignedClaimsLimits {
    /// The maximum length; longer than any that Apple's claims have.
    static let length = 4_096
    /// The maximum difference between the clocks of two machines, in seconds.
    static let leeway = 60.0
}
