package import Basics
import Crypto
package import Foundation
package import InAppPurchase
import ServerHTTP

/// The dates since which each placement is as it is: purchases before were made under other variants.
///
/// The ledger has a small value for each app, which is written when a placement changes and at no other time.
package struct PlacementDates: Sendable {
    private static let prefix = "placements/"

    /// The text of a placement as a hash, and since when it is so.
    private struct Entry: Codable, Equatable {
        var hash: String
        /// In milliseconds since 1970; `nil` for placements that were there before dates were recorded.
        var since: Int?
    }

    private let store: any KeyValueStore

    package init(_ store: any KeyValueStore) { self.store = store }

    /// Records the placements of the catalog that changed. Idempotent.
    package func record(_ catalog: Catalog, at date: Date) async throws {
        let known = try await store.values(withPrefix: Self.prefix)
        var changed: [String: Data] = [:]
        for app in catalog.apps {
            let key = Self.prefix + app.bundleID.text
            let before = known[key].flatMap { try? JSONDecoder().decode([String: Entry].self, from: $0) }
            let now = try Self.entries(of: app, after: before, at: date)
            if now != before { changed[key] = try JSONEncoder().encode(now) }
        }
        if !changed.isEmpty { try await store.set(changed) }
    }

    /// The last change of each of an app's placements that is known to have changed.
    package func since(in app: BundleID) async throws -> [String: Date] {
        guard let text = try await store.value(forKey: Self.prefix + app.text) else { return [:] }
        let entries = try JSONDecoder().decode([String: Entry].self, from: text)
        return entries.compactMapValues { $0.since.map { Date(milliseconds: $0) } }
    }

    private static func entries(
        of app: App, after before: [String: Entry]?, at date: Date
    ) throws -> [String: Entry] {
        try app.listing.placements.reduce(into: [:]) { entries, placement in
            let hash = try placement.value.hash
            let old = before?[placement.key].flatMap { $0.hash == hash ? $0 : nil }
            entries[placement.key] = old ?? Entry(hash: hash, since: before == nil ? nil : date.milliseconds)
        }
    }
}

extension Placement {
    /// The hash of everything that clients can be offered by it.
    fileprivate var hash: String {
        get throws {
            let text = try JSONCoding.bytes(of: JSONValue.array(variants.map(\.value)))
            return Data(SHA256.hash(data: text).prefix(16)).hex
        }
    }
}

extension Placement.Variant {
    fileprivate var value: JSONValue {
        let availability = condition.availability
        let texts = [
            availability.from?.rfc3339, availability.until?.rfc3339, availability.minimumAppVersion?.description,
            condition.maximumAppVersion?.description,
        ]
        let lists = [availability.platforms, availability.storefronts].map { $0?.sorted() }
        return .array(
            [
                .array(products.map { .string($0.text) }), .object(metadata),
                .integer(condition.buckets.lowerBound), .integer(condition.buckets.upperBound),
            ] + texts.map { $0.map { .string($0) } ?? .null }
                + lists.map { $0.map { .array($0.map { .string($0) }) } ?? .null })
    }
}
