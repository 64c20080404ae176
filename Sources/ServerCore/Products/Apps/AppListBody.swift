import Foundation
package import InAppPurchase
package import Ledger

/// The apps of the catalog, as `GET /admin/v1/apps` returns them and `apps list --json` prints them.
package struct AppListBody: Codable {
    package struct Entry: Codable {
        package var bundleID: BundleID
        /// The number of its products.
        package var products: Int
        /// Its entry in the catalog without the products.
        package var settings: JSONValue
    }

    package var revision: String
    /// In the order of the catalog.
    package var apps: [Entry]

    /// - Parameter reach: the apps that are listed.
    /// - Returns: `nil` if the catalog is not UTF-8.
    package init?(_ file: CatalogFile, of reach: AdminReach = .everything) throws {
        guard let text = file.text else { return nil }
        revision = file.revision
        apps = try file.catalog.apps.enumerated().filter { reach.includes($1.bundleID) }.map { index, app in
            let settings = text.settingsEntry(ofApp: index) ?? Data("{}".utf8)
            return Entry(
                bundleID: app.bundleID, products: app.products.count,
                settings: try JSONDecoder().decode(JSONValue.self, from: settings))
        }
    }
}
