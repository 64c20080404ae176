public import Foundation

/// When and to whom a product is offered. What was bought stays bought whatever this says.
public struct Availability: Hashable, Sendable {
    /// Who asks for the product list.
    public struct Client: Hashable, Sendable {
        public var appVersion: String?
        public var platform: String?
        /// ISO 3166-1 alpha-3, as StoreKit's `Storefront.countryCode`.
        public var storefront: String?

        public init(appVersion: String? = nil, platform: String? = nil, storefront: String? = nil) {
            (self.appVersion, self.platform, self.storefront) = (appVersion, platform, storefront)
        }
    }

    public var from: Date?
    public var until: Date?
    /// Apps below it are not offered the product; `1.10` is above `1.9`.
    public var minimumAppVersion: String?
    public var platforms: [String]?
    public var storefronts: [String]?

    /// Whether the product is on sale at `date`, for a client that may leave out what it does not know.
    public func includes(_ client: Client, at date: Date) -> Bool {
        if let from, date < from { return false }
        if let until, date >= until { return false }
        if let minimumAppVersion, let version = client.appVersion,
            version.compare(minimumAppVersion, options: .numeric) == .orderedAscending
        {
            return false
        }
        if let platforms, let platform = client.platform, !platforms.contains(platform) { return false }
        if let storefronts, let storefront = client.storefront, !storefronts.contains(storefront) { return false }
        return true
    }
}
