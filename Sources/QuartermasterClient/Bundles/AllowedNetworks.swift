/// The networks that a request may use, beside those without limits.
public struct AllowedNetworks: Sendable, Hashable {
    /// Whether it may use mobile data and personal hotspots.
    public var allowsExpensive = true
    /// Whether it may use networks in Low Data Mode.
    public var allowsConstrained = true
}
