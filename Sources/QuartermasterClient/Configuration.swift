public import Foundation

extension Quartermaster {
    /// The server, the app, and where the client stores what it knows.
    public struct Configuration: Sendable {
        /// The URL of the server, without `/v1`.
        public var server: URL
        /// The app's bundle ID.
        public var bundleID: String
        /// The client's own folder, on Apple's platforms in Application Support.
        public var folder: URL
        /// `CFBundleShortVersionString`: products and bundles for newer apps are left out.
        public var appVersion: String?
        /// The country of the player's App Store, ISO 3166-1 alpha-3.
        public var storefront: String?
        /// The products that are shown before the server has answered for the first time.
        public var builtIn: [ListedProduct]
        /// Thumbprints (RFC 7638) of the keys that may sign manifests. If empty, all that the server publishes may.
        public var pinnedKeys: Set<String>
        /// The source of time, waits and randomness.
        public var clock: ClientClock
        /// Of requests to the server.
        var timeouts = HTTPTimeouts()

        public init(
            server: URL, bundleID: String, folder: URL, appVersion: String? = nil, storefront: String? = nil,
            builtIn: [ListedProduct] = [], pinnedKeys: Set<String> = [], clock: ClientClock = .system
        ) {
            self.server = server
            self.bundleID = bundleID
            self.folder = folder
            self.appVersion = appVersion
            self.storefront = storefront
            self.builtIn = builtIn
            self.pinnedKeys = pinnedKeys
            self.clock = clock
        }
    }
}
