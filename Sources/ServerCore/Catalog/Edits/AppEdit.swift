package import Foundation
package import InAppPurchase
package import Ledger

/// A requested edit of an app's settings: the members of its entry besides the products.
package struct AppEdit: CatalogOperation {
    package enum Act: Sendable {
        /// Replaces all settings by those of this JSON, or adds an app without products.
        case put(Data)
        /// Changes the settings that this JSON merge patch (RFC 7396) names, and removes those that it names as `null`;
        /// or adds an app.
        case merge(Data)
        /// Removes an app that has no products and no recorded purchases.
        case remove
    }

    package var app: BundleID
    package var act: Act
    /// Whether the edit still applies when its turn comes, given whether the app exists and the catalog's revision.
    package var condition: @Sendable (_ exists: Bool, _ revision: String) -> Bool

    package init(
        app: BundleID, act: Act,
        condition: @escaping @Sendable (_ exists: Bool, _ revision: String) -> Bool = { _, _ in true }
    ) {
        self.app = app
        self.act = act
        self.condition = condition
    }

    package func change(of file: CatalogFile, bundles: [BundleName], handlers: [any ProductHandler.Type]) throws
        -> AppChange
    {
        try file.applying(self, bundles: bundles, handlers: handlers)
    }

    package func check(_ change: AppChange, against ledger: any CatalogLedger) async throws {
        guard case .remove = act, try await ledger.hasPurchases(of: app) else { return }
        throw CatalogRefusal.appInUse("It has recorded purchases, which need its entry. Take its products off sale.")
    }
}
