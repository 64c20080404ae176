package import Foundation

/// The times, app versions, platforms and storefronts that a product is offered in. It has no effect on past purchases.
package struct Availability: Hashable, Sendable {
    /// The first moment of the sale (`availableFrom`); `nil` if it has always been on sale.
    package var from: Date?
    /// The first moment after the sale (`availableUntil`); `nil` if the sale has no end.
    package var until: Date?
    /// The lowest app version that is offered the product; `nil` for all versions.
    package var minimumAppVersion: SemanticVersion?
    /// The platforms, in lower case; `nil` for all.
    package var platforms: Set<String>?
    /// The storefronts as ISO 3166-1 alpha-3 codes in upper case, as in StoreKit's `Storefront.countryCode`; `nil` for
    /// all.
    package var storefronts: Set<String>?

    /// Availability to everybody at all times.
    init() {
        from = nil
        until = nil
        minimumAppVersion = nil
        platforms = nil
        storefronts = nil
    }

    /// The client that asks for the product list. A value it leaves out does not narrow the list; an unknown value that
    /// it sends (a platform, a storefront) matches no product that names any.
    package struct Client: Hashable, Sendable {
        /// The app's version; `nil` if the client did not send it. A version that cannot be read is below all others.
        package let appVersion: SemanticVersion?
        /// The platform in lower case; `nil` if the client did not send it.
        package let platform: String?
        /// The storefront in upper case; `nil` if the client did not send it.
        package let storefront: String?

        /// - Parameters:
        ///   - appVersion: as `CFBundleShortVersionString`. A version that cannot be read is below every other: a
        ///     product that the app may not be able to deliver is better not offered than sold.
        ///   - platform: in any case.
        ///   - storefront: in any case.
        package init(appVersion: String? = nil, platform: String? = nil, storefront: String? = nil) {
            self.appVersion = appVersion.map { SemanticVersion(appVersion: $0) ?? .lowest }
            self.platform = platform?.lowercased()
            self.storefront = storefront?.uppercased()
        }
    }

    /// Whether the product is on sale at `date` for the client; a value that the client leaves out excludes nothing.
    /// ``from`` is the first moment of the sale, ``until`` the first after it.
    package func includes(_ client: Client, at date: Date) -> Bool {
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
    /// - Throws: `DecodingError` with the path to a value that is no time, version or storefront, or if the sale ends
    ///   before it begins.
    package init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        from = try entry.decodeTimeIfPresent(forKey: .from)
        until = try entry.decodeTimeIfPresent(forKey: .until)
        if let from, let until, from >= until { throw entry.invalid(.until, "not after availableFrom") }
        minimumAppVersion = try entry.decodeAppVersionIfPresent(forKey: .minimumAppVersion)
        let platforms = try entry.decodeIfPresent([String].self, forKey: .platforms)
        self.platforms = platforms.map { Set($0.map { $0.lowercased() }) }
        let storefronts = try entry.decodeIfPresent([Storefront].self, forKey: .storefronts)
        self.storefronts = storefronts.map { Set($0.map(\.code)) }
    }
}

extension KeyedDecodingContainer {
    /// Decodes the version of an app; `nil` if it is absent.
    ///
    /// - Throws: `DecodingError` with the path to `key`.
    func decodeAppVersionIfPresent(forKey key: Key) throws -> SemanticVersion? {
        try decodeIfPresent(String.self, forKey: key).map { text in
            guard let version = SemanticVersion(appVersion: text) else {
                throw invalid(key, "not the version of an app, such as 1.10")
            }
            return version
        }
    }
}

/// A storefront code of three letters: a code of two letters would never match, and the product would never be offered.
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
