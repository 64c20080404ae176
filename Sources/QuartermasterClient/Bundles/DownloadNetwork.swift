/// The networks that a download may use. None uses one in Low Data Mode unless
/// ``Quartermaster/Configuration/usesConstrainedNetworks`` is set.
public enum DownloadNetwork: String, Sendable, Codable {
    /// All networks.
    case any
    /// No mobile data, and no personal hotspots.
    case wifi
}
