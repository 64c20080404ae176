package import Content

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
