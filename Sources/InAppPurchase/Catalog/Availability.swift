public import Foundation

/// When and to whom a product is offered. What was bought stays bought whatever this says.
public struct Availability: Hashable, Sendable {
    public var from: Date?
    public var until: Date?
    /// Apps below it are not offered the product.
    public var minimumAppVersion: SemanticVersion?
    /// In lower case.
    public var platforms: Set<String>?
    /// ISO 3166-1 alpha-3, in upper case, as StoreKit's `Storefront.countryCode`.
    public var storefronts: Set<String>?

    /// Who asks for the product list. What a client leaves out does not narrow the list; what it sends and nobody knows
    /// (a platform, a storefront) stands in no product's list.
    public struct Client: Hashable, Sendable {
        public let appVersion: SemanticVersion?
        let platform: String?
        let storefront: String?

        /// - Parameters:
        ///   - appVersion: as `CFBundleShortVersionString`. One that cannot be read is below every other: a product that
        ///     the app may not be able to deliver is better not offered than sold.
        ///   - platform: in any case.
        ///   - storefront: in any case.
        public init(appVersion: String? = nil, platform: String? = nil, storefront: String? = nil) {
            self.appVersion = appVersion.map { SemanticVersion(appVersion: $0) ?? .lowest }
            self.platform = platform?.lowercased()
            self.storefront = storefront?.uppercased()
        }
    }

    /// Whether the product is on sale at `date`, for a client that may leave out what it does not know. ``from`` is the
    /// first moment of the sale, ``until`` the first after it.
    public func includes(_ client: Client, at date: Date) -> Bool {
        if let from, date < from { return false }
        if let until, date >= until { return false }
        if let minimumAppVersion, let version = client.appVersion, version < minimumAppVersion { return false }
        if let platforms, let platform = client.platform, !platforms.contains(platform) { return false }
        if let storefronts, let storefront = client.storefront, !storefronts.contains(storefront) { return false }
        return true
    }
}

extension Availability: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case from = "availableFrom"
        case until = "availableUntil"
        case minimumAppVersion, platforms, storefronts
    }

    /// Reads the members of a product's entry.
    ///
    /// - Throws: `DecodingError` with the path to what is no time, version or storefront, or a sale that ends before it
    ///   begins.
    public init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        from = try entry.decodeTimeIfPresent(forKey: .from)
        until = try entry.decodeTimeIfPresent(forKey: .until)
        if let from, let until, from >= until { throw entry.mistake(.until, "not after availableFrom") }
        minimumAppVersion = try entry.decodeIfPresent(String.self, forKey: .minimumAppVersion).map { text in
            guard let version = SemanticVersion(appVersion: text) else {
                throw entry.mistake(.minimumAppVersion, "not the version of an app, such as 1.10")
            }
            return version
        }
        let platforms = try entry.decodeIfPresent([String].self, forKey: .platforms)
        self.platforms = platforms.map { Set($0.map { $0.lowercased() }) }
        let storefronts = try entry.decodeIfPresent([Storefront].self, forKey: .storefronts)
        self.storefronts = storefronts.map { Set($0.map(\.code)) }
    }
}

/// A code that some storefront may have: one with two letters would never match, and the product never be offered.
private struct Storefront: Decodable {
    let code: String

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        code = try container.decode(String.self).uppercased()
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "not an ISO 3166-1 alpha-3 code, such as DEU")
        }
    }
}
