public import Foundation

extension Quartermaster {
    /// The server, the app, and where the client stores what it knows.
    public struct Configuration: Sendable {
        /// The URL of the server, without `/v1`.
        public var server: URL
        /// Further URLs of the same server, for lists, manifests and content while the first is away. Purchases are
        /// never sent to them.
        public var mirrors: [URL] = []
        /// The app's bundle ID.
        public var bundleID: String
        /// The client's own folder, on Apple's platforms in Application Support. It is kept out of backups.
        ///
        /// In the container of an App Group a widget can read it, with ``ShopSnapshot``. There the shop pauses while
        /// the app is in the background, since the system ends a suspended app that has locked a file of the group.
        public var folder: URL
        /// `CFBundleShortVersionString`: products and bundles for newer apps are left out.
        public var appVersion: String?
        /// The country of the player's App Store, ISO 3166-1 alpha-3.
        public var storefront: String?
        /// The products that are shown before the server has answered for the first time.
        public var builtIn: [ListedProduct]
        /// The public keys, in base64url, of one or two root keys, as `quartermaster keys root create` prints them. If
        /// given, only keys that one of them signed are trusted, whoever stands between the app and the server.
        public var rootKeys: Set<String>
        /// Thumbprints (RFC 7638) of the only server's keys that may sign. If empty, all that the server publishes may.
        /// Servers change their keys: pin ``rootKeys``, which stay.
        public var pinnedKeys: Set<String>
        /// The networks by which essential bundles are downloaded without being asked for; `nil` for none.
        public var essentialsOver: DownloadNetwork? = .any
        /// The player's languages as BCP 47 tags, the best first, by which bundles are chosen. As the system has them,
        /// and at the end the one that the app was developed in.
        public var languages = Locale.preferredLanguages + developmentLanguage
        /// Whether downloads may use networks in Low Data Mode.
        public var usesConstrainedNetworks = false
        /// The source of time, waits and randomness.
        public var clock: ClientClock
        /// The app's build, for which the environment of its store is remembered.
        var build = Bundle.main.infoDictionary?["CFBundleVersion"] as? String ?? ""
        private static let developmentLanguage =
            [Bundle.main.infoDictionary?["CFBundleDevelopmentRegion"] as? String].compactMap(\.self)
        /// Tells when the app comes to the foreground.
        var notifications = NotificationCenter.default
        /// Of requests to the server.
        var timeouts = HTTPTimeouts()

        var trust: KeyTrust { KeyTrust(roots: rootKeys, pinned: pinnedKeys) }

        public init(
            server: URL, bundleID: String, folder: URL, appVersion: String? = nil, storefront: String? = nil,
            builtIn: [ListedProduct] = [], rootKeys: Set<String> = [], pinnedKeys: Set<String> = [],
            clock: ClientClock = .system
        ) {
            self.server = server
            self.bundleID = bundleID
            self.folder = folder
            self.appVersion = appVersion
            self.storefront = storefront
            self.builtIn = builtIn
            self.rootKeys = rootKeys
            self.pinnedKeys = pinnedKeys
            self.clock = clock
        }
    }
}
