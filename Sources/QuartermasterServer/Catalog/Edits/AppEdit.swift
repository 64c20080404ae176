import Foundation
import InAppPurchase
import Ledger

/// A requested edit of an app's settings: the members of its entry besides the products.
struct AppEdit: CatalogOperation {
    enum Act: Sendable {
        /// Replaces all settings by those of this JSON, or adds an app without products.
        case put(Data)
        /// Removes an app that has no products and no recorded purchases.
        case remove
    }

    var app: BundleID
    var act: Act
    /// Whether the edit still applies when its turn comes, given whether the app exists and the catalog's revision.
    var condition: @Sendable (_ exists: Bool, _ revision: String) -> Bool = { _, _ in true }

    func change(of file: CatalogFile, bundles: [BundleName], handlers: [any ProductHandler.Type]) throws -> AppChange {
        try file.applying(self, bundles: bundles, handlers: handlers)
    }

    func check(_ change: AppChange, against ledger: any Ledger) async throws {
        guard case .remove = act, try await ledger.hasPurchases(of: app) else { return }
        throw CatalogRefusal.appInUse("It has recorded purchases, which need its entry. Take its products off sale.")
    }
}
