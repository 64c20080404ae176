import Content

/// Why the catalog is not edited.
enum CatalogRefusal: Error, Hashable, Sendable {
    case unknownApp
    case unknownProduct
    /// The file is at another revision than the condition asked for, or the product is there, or is not.
    case preconditionFailed(revision: String)
    /// The entry is no JSON.
    case unreadableEntry(String)
    /// The entry is wrong, and where.
    case invalidProduct(String)
    /// What stands on the disk now would not be served, or could not be edited: somebody edits it by hand.
    case invalidCatalog(String)
    /// Others edit it, for longer than one waits.
    case busy
    /// The disk, or a right to it, is not there; what, and what to do.
    case notWritable(String)
}

extension CatalogRefusal {
    init(_ failure: FolderLock.Failure) {
        self =
            switch failure {
            case .busy: .busy
            case .unusable(let error): .notWritable("the folder of the catalog cannot be locked: \(error)")
            }
    }
}
