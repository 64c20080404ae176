package import Foundation

/// The clients that a variant of a placement is for, and when (`when` in `products.json`).
package struct PlacementCondition: Hashable, Sendable {
    /// All buckets. A client's is computed from its account, so that accounts are spread evenly and each stays in one.
    package static let allBuckets = 0...99

    /// The times, app versions, platforms and storefronts, as for the offer of a product.
    package var availability: Availability
    /// The highest app version; `nil` for all versions.
    package var maximumAppVersion: SemanticVersion?
    /// The buckets.
    package var buckets: ClosedRange<Int>

    /// The condition that every client fulfils.
    init() {
        availability = Availability()
        maximumAppVersion = nil
        buckets = Self.allBuckets
    }

    /// Whether the client fulfils the condition at `date`. A value that it leaves out does not exclude it.
    package func includes(_ client: Availability.Client, bucket: Int, at date: Date) -> Bool {
        if let maximumAppVersion, let version = client.appVersion, version > maximumAppVersion { return false }
        return buckets.contains(bucket) && availability.includes(client, at: date)
    }
}

extension PlacementCondition: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable { case maximumAppVersion, buckets }

    private static let members = Set(
        CodingKeys.allCases.map(\.rawValue) + Availability.CodingKeys.allCases.map(\.rawValue))

    /// - Throws: `DecodingError` with the path to the error.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: AnyKey.self)
        for key in members.allKeys where !Self.members.contains(key.stringValue) {
            throw members.invalid(key, "unknown member")
        }
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        availability = try Availability(from: decoder)
        maximumAppVersion = try entry.decodeAppVersionIfPresent(forKey: .maximumAppVersion)
        if let maximumAppVersion, let minimum = availability.minimumAppVersion, maximumAppVersion < minimum {
            throw entry.invalid(.maximumAppVersion, "below minimumAppVersion")
        }
        buckets = try entry.decodeBucketsIfPresent(forKey: .buckets) ?? Self.allBuckets
    }
}

extension KeyedDecodingContainer {
    /// Decodes the first and the last bucket; `nil` if they are absent.
    fileprivate func decodeBucketsIfPresent(forKey key: Key) throws -> ClosedRange<Int>? {
        guard let bounds = try decodeWholeNumbersIfPresent([Int].self, forKey: key) else { return nil }
        guard bounds.count == 2, let first = bounds.first, let last = bounds.last, first <= last,
            PlacementCondition.allBuckets.contains(first), PlacementCondition.allBuckets.contains(last)
        else { throw invalid(key, "the first and the last bucket, such as [0, 49]; both from 0 to 99") }
        return first...last
    }
}
