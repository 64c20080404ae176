/// The networks that a download may use. None uses one in Low Data Mode unless
/// ``Quartermaster/Configuration/usesConstrainedNetworks`` is set.
public enum DownloadNetwork: String, Sendable, Codable {
    /// All networks.
    case any
    /// No mobile data, and no personal hotspots.
    case wifi
}

/// The networks that a request may use, beside those without limits.
public struct AllowedNetworks: Sendable, Hashable {
    /// Whether it may use mobile data and personal hotspots.
    public var allowsExpensive = true
    /// Whether it may use networks in Low Data Mode.
    public var allowsConstrained = true
}
