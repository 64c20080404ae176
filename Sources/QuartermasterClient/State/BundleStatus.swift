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
    /// Whether the app needs it to begin with. Then it is downloaded by itself.
    public var isEssential: Bool
    /// The languages of its content, as BCP 47 tags. Empty if it is for all.
    public var languages: [String]
    /// Whether it is for all languages, or for the best one of the player's in its list of contents.
    public var isForPlayer: Bool
    /// A download that runs, waits, or has failed.
    public var progress: DownloadProgress?

    public var id: String { name }

    public init(
        name: String, version: String? = nil, size: Int? = nil, installed: String? = nil, update: String? = nil,
        isReadable: Bool = true, isEssential: Bool = false, languages: [String] = [], isForPlayer: Bool = true,
        progress: DownloadProgress? = nil
    ) {
        self.name = name
        self.version = version
        self.size = size
        self.installed = installed
        self.update = update
        self.isReadable = isReadable
        self.isEssential = isEssential
        self.languages = languages
        self.isForPlayer = isForPlayer
        self.progress = progress
    }
}
