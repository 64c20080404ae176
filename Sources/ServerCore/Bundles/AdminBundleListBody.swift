package import Content
package import Foundation
package import InAppPurchase
import ServerHTTP

/// A page of bundles, by name, as `GET /admin/v1/bundles` returns it and the pages show it.
package struct AdminBundleListBody: Codable {
    /// The maximum number of bundles on a page: the versions of each are looked at.
    package static let maximumEntries = 100
    /// The maximum number of products that are named for one bundle.
    package static let maximumProducts = 100

    package struct Product: Codable, Hashable {
        package var app: BundleID
        package var product: ProductID

        package init(app: BundleID, product: ProductID) {
            self.app = app
            self.product = product
        }
    }

    package struct Entry: Codable {
        package var bundle: BundleName
        /// The version that everybody is offered, whatever the app's version; omitted if there is none.
        package var offered: String?
        /// The bytes of all files of that version.
        package var bytes: Int?
        /// The number of versions, with drafts and yanked ones.
        package var versions: Int
        /// The number of drafts among them.
        package var drafts: Int
        /// The apps in which every account may download it.
        package var openIn: [BundleID]
        /// The products that give access to it, in the order of the catalog, at most ``maximumProducts``.
        package var products: [Product]

        package init(_ bundle: BundleName, _ records: [VersionRecord], openIn: [BundleID], products: [Product]) {
            let newest = VersionChoice(records, for: VersionChoice.Reader()).newest
            self.bundle = bundle
            offered = newest?.manifest.version.description
            bytes = newest?.manifest.bytes
            versions = records.count
            drafts = records.count { $0.state == .draft }
            self.openIn = openIn
            self.products = products
        }
    }

    package var bundles: [Entry]
    /// The value of `after` for the next page; omitted on the last page.
    package var next: String?

    /// - Parameters:
    ///   - after: the last bundle of the page before; it need not exist any more.
    ///   - limit: at most ``maximumEntries``.
    package init(
        _ content: any ContentRepository, _ publications: PublicationDates, _ catalog: Catalog, after: BundleName?,
        limit: Int, at date: Date
    ) async throws {
        let names = content.bundles()
        let rest = after.map { after in names.drop { $0.text <= after.text } } ?? names[...]
        let shown = rest.prefix(limit)
        let uses = Self.uses(of: Set(shown), in: catalog)
        bundles = []
        for bundle in shown {
            let openIn = catalog.apps.filter { $0.openBundles.contains(bundle) }.map(\.bundleID)
            bundles.append(
                Entry(
                    bundle, try await publications.records(of: bundle, at: date), openIn: openIn,
                    products: uses[bundle] ?? []))
        }
        next = rest.count > shown.count ? shown.last?.text : nil
    }

    /// The products that give access to bundles; the catalog is gone through once.
    private static func uses(of bundles: Set<BundleName>, in catalog: Catalog) -> [BundleName: [Product]] {
        var uses: [BundleName: [Product]] = [:]
        for app in catalog.apps {
            for product in app.products {
                for bundle in Set(product.bundles).intersection(bundles)
                where uses[bundle, default: []].count < maximumProducts {
                    uses[bundle, default: []].append(Product(app: app.bundleID, product: product.id))
                }
            }
        }
        return uses
    }
}
