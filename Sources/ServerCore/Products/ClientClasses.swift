import Content
import Foundation
import InAppPurchase

/// The distinctions that an app's entry and its bundles make between clients: clients of one class get the same list.
struct ClientClasses: Sendable {
    /// A value of a client, as far as it is distinguished.
    enum Value: Hashable, Sendable {
        case missing
        case named(String)
        /// A value that no condition names.
        case other

        init(_ value: String?, among named: Set<String>) {
            self = value.map { named.contains($0) ? .named($0) : .other } ?? .missing
        }
    }

    /// The class of a client.
    struct Class: Hashable, Sendable {
        /// The place of the app's version among those that conditions compare with; `nil` if it was not sent.
        var version: Int?
        var platform: Value
        var storefront: Value
        var placement: String?
        /// The number of bucket ranges that begin or end below the client's bucket.
        var bucket: Int
    }

    private let versions: [SemanticVersion]
    private let platforms: Set<String>
    private let storefronts: Set<String>
    /// The buckets at which a range begins or has ended, for each placement.
    private let buckets: [String: [Int]]
    /// The dates at which a sale or a variant of a placement begins or ends.
    private let dates: [Date]

    /// - Parameter records: all versions of the app's open bundles, and of those of its products.
    init(_ app: App, _ records: [VersionRecord]) {
        let placements = app.listing.placements.mapValues { $0.variants.map(\.condition) }
        let conditions = placements.values.flatMap { $0 }
        let availabilities = app.products.map(\.availability) + conditions.map(\.availability)
        let lowest = availabilities.map(\.minimumAppVersion) + records.map(\.manifest.minimumAppVersion)
        let highest = conditions.map(\.maximumAppVersion) + records.map(\.manifest.maximumAppVersion)
        versions = Set((lowest + highest).compactMap(\.self)).sorted()
        platforms = Set(availabilities.compactMap(\.platforms).joined())
        storefronts = Set(availabilities.compactMap(\.storefronts).joined())
        buckets = placements.mapValues { conditions in
            Set(conditions.map(\.buckets.lowerBound) + conditions.map { $0.buckets.upperBound + 1 }).sorted()
        }
        dates = Set((availabilities.map(\.from) + availabilities.map(\.until)).compactMap(\.self)).sorted()
    }

    func `class`(of query: ProductListQuery) -> Class {
        let placement = query.placement.flatMap { buckets[$0] }
        return Class(
            version: query.client.appVersion.map(index), platform: Value(query.client.platform, among: platforms),
            storefront: Value(query.client.storefront, among: storefronts),
            placement: placement == nil ? nil : query.placement, bucket: placement?.count { $0 <= query.bucket } ?? 0)
    }

    /// The period between the last date that is past and the next one; a list that is made in it is valid throughout.
    func period(around date: Date) -> SalePeriod {
        let next = dates.lowestIndex { $0 > date }
        return SalePeriod(from: next > 0 ? dates[next - 1] : nil, until: next < dates.count ? dates[next] : nil)
    }

    /// The place of a version: even between two of those that conditions compare with, odd at one of them.
    private func index(of version: SemanticVersion) -> Int {
        let index = versions.lowestIndex { $0 >= version }
        return 2 * index + (index < versions.count && versions[index] == version ? 1 : 0)
    }
}

extension Array {
    /// The index of the first element that fulfils the condition, as all after it do; the count if none does.
    fileprivate func lowestIndex(where isAbove: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if isAbove(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
