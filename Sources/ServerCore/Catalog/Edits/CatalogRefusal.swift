package import Content
package import Foundation
package import InAppPurchase

/// The reason for which an edit of the catalog is refused.
package enum CatalogRefusal: Error, Hashable, Sendable {
    case unknownApp
    case unknownProduct
    /// The catalog has another revision than the condition requires, or the product exists, or does not, against the
    /// condition.
    case preconditionFailed(revision: String)
    /// The entry is not JSON.
    case unreadableEntry(String)
    /// The entry is invalid; with the position of the error.
    case invalidProduct(String)
    /// The settings of an app are invalid; with the position of the error.
    case invalidApp(String)
    /// The app cannot be removed: it has products or recorded purchases; with the reason.
    case appInUse(String)
    /// The current file is invalid, or cannot be edited, as while it is edited by hand.
    case invalidCatalog(String)
    /// Other edits took longer than an edit waits for its turn.
    case busy
    /// The disk is full, or the process lacks a permission; with advice.
    case notWritable(String)
}

extension CatalogRefusal {
    static let notFoundInText = CatalogRefusal.invalidCatalog("the entry cannot be found in the file's text")

    package init(_ failure: FolderLock.Unavailable) {
        self =
            switch failure {
            case .busy: .busy
            case .unusable(let error): .notWritable("the folder of the catalog cannot be locked: \(error)")
            }
    }
}

/// A requested edit of one product of one app.
package struct CatalogEdit: CatalogOperation {
    package enum Act: Sendable {
        /// Adds an entry with this JSON, or replaces the existing one.
        case put(Data)
        case remove
    }

    package var app: BundleID
    /// The product's ID; `nil` for the one that the entry has.
    package var product: ProductID?
    package var act: Act
    /// Whether the edit still applies when its turn comes, given whether the product exists and the catalog's revision.
    package var condition: @Sendable (_ exists: Bool, _ revision: String) -> Bool

    package init(
        app: BundleID, product: ProductID? = nil, act: Act,
        condition: @escaping @Sendable (_ exists: Bool, _ revision: String) -> Bool = { _, _ in true }
    ) {
        self.app = app
        self.product = product
        self.act = act
        self.condition = condition
    }

    package func change(
        of file: CatalogFile, bundles: [BundleName], handlers: [any ProductHandler.Type]
    ) throws -> CatalogChange {
        try file.applying(self, bundles: bundles, handlers: handlers)
    }
}
