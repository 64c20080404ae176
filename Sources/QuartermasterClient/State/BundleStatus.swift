/// A bundle that the player can read, could buy, or has on the device.
public struct BundleStatus: Sendable, Equatable, Identifiable {
    /// The bundle's name.
    public var name: String
    /// The newest version for this app. `nil` if it is not known.
    public var version: String?
    /// The size of the files of ``version`` together, in bytes.
    public var size: Int?
    /// The version on the device.
    public var installed: String?
    /// The version to which ``installed`` can be updated.
    public var update: String?
    /// Whether the player may read it now.
    public var isReadable: Bool
    /// A download that runs, waits, or has failed.
    public var progress: DownloadProgress?

    public var id: String { name }
}
