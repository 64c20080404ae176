/// The progress of the download of a bundle.
public struct DownloadProgress: Sendable, Equatable {
    /// The steps of a download.
    public enum Phase: Sendable, Equatable {
        /// The manifest is requested and checked.
        case checking
        /// Files are fetched.
        case downloading
        /// The player stopped it. What was fetched is kept.
        case paused
        /// All files are there, and become the installed version.
        case installing
        /// The version is installed, and the download is over.
        case installed
        /// The download is over. The installed version, if there is one, is as it was.
        case failed(DownloadError)
    }

    /// The name of the bundle.
    public var bundle: String
    /// The version that is downloaded, once the manifest is known.
    public var version: String?
    /// The bytes that are here.
    public var received: Int
    /// The bytes that the version needs, without the files that were here before.
    public var total: Int
    /// The present step.
    public var phase: Phase

    /// - Parameter bundle: its name. Nothing has happened yet.
    public init(bundle: String) {
        self.bundle = bundle
        version = nil
        received = 0
        total = 0
        phase = .checking
    }

    /// The share that is here, from 0 to 1.
    public var fraction: Double {
        if phase == .installed { return 1 }
        guard total > 0 else { return 0 }
        return min(max(Double(received) / Double(total), 0), 1)
    }

    /// Whether the download is over.
    public var isLast: Bool {
        switch phase {
        case .installed, .failed: true
        case .checking, .downloading, .paused, .installing: false
        }
    }
}
