public import Foundation

/// The products of all apps, as read from `products.json`. A value that is replaced as a whole or not at all.
public struct Catalog: Sendable {
    /// The apps in the order of the file; decoding refuses two with the same bundle ID.
    public var apps: [App]

    public init(apps: [App] = []) { self.apps = apps }

    /// The app with this bundle ID; `nil` if the catalog has none.
    public func app(_ bundleID: BundleID) -> App? { apps.first { $0.bundleID == bundleID } }

    /// The product of an app; `nil` if the catalog has no such app or product.
    public func product(_ id: ProductID, of app: BundleID) -> Product? { self.app(app)?.product(id) }

    /// The bundles that every account may download: an account is not bound to one app.
    public var openBundles: Set<BundleName> { apps.reduce(into: []) { $0.formUnion($1.openBundles) } }
}

extension Catalog: DecodableWithConfiguration {
    private enum CodingKeys: CodingKey { case apps }

    /// - Throws: `DecodingError` with the path to the error.
    public init(from decoder: any Decoder, configuration handlers: [any ProductHandler.Type]) throws {
        let root = try decoder.container(keyedBy: CodingKeys.self)
        apps = try root.decode([App].self, forKey: .apps, configuration: handlers)
        var seen: Set<BundleID> = []
        for app in apps where !seen.insert(app.bundleID).inserted {
            throw root.invalid(.apps, "\"\(app.bundleID)\" occurs twice")
        }
    }
}
