import Foundation

/// The URL at which an app's server receives notifications.
struct NotificationAddress: Codable, Hashable, Sendable {
    static let versions = 1...2
    /// The maximum length of the URL; longer than servers accept.
    static let maximumURLLength = 2_048

    /// `http` or `https`.
    var url: String
    var version: Int
    /// The app's shared secret, which only version 1 contains.
    var password: String?

    /// `nil` if the URL is not `http` or `https`.
    init?(url: String, version: Int = 2, password: String? = nil) {
        guard url.utf8.count <= Self.maximumURLLength, let parsed = URL(string: url), parsed.host?.isEmpty == false,
            ["http", "https"].contains(parsed.scheme?.lowercased()), Self.versions.contains(version)
        else { return nil }
        self.url = url
        self.version = version
        self.password = password
    }
}
