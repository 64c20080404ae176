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
    /// Apps below it are not offered the product; `1.10` is above `1.9`, and `2` is `2.0`.
    public var minimumAppVersion: String?
    public var platforms: [String]?
    public var storefronts: [String]?

    /// Whether the product is on sale at `date`, for a client that may leave out what it does not know.
    public func includes(_ client: Client, at date: Date) -> Bool {
        if let from, date < from { return false }
        if let until, date >= until { return false }
        if let minimumAppVersion, let version = client.appVersion, Self.isBelow(version, minimumAppVersion) {
            return false
        }
        if let platforms, let platform = client.platform, !platforms.contains(platform) { return false }
        if let storefronts, let storefront = client.storefront, !storefronts.contains(storefront) { return false }
        return true
    }

    /// Component by component; one that is left out counts as 0, so that 2 is not below 2.0.
    private static func isBelow(_ version: String, _ minimum: String) -> Bool {
        var components = version.split(separator: ".", omittingEmptySubsequences: false).makeIterator()
        for component in minimum.split(separator: ".", omittingEmptySubsequences: false) {
            let order = (components.next() ?? "0").compare(component, options: .numeric)
            if order != .orderedSame { return order == .orderedAscending }
        }
        return false
    }
}
