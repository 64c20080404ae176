package import InAppPurchase

/// The place that the catalog is read from.
package protocol CatalogSource: Sendable {
    /// The name in messages to the operator.
    var name: String { get }
    /// Whether people edit it directly, so that the server has to record their edits in the audit trail.
    var isEditedByHand: Bool { get }

    /// The current catalog; `nil` if it is the one that is served.
    ///
    /// - Parameter bundles: the published ones, among which its bundles must be; `nil` if that is not checked.
    /// - Throws: ``CatalogError`` if it is invalid; ``/Ledger/LedgerUnavailable``.
    func file(
        otherThan served: CatalogFile?, bundles: [BundleName]?, handlers: [any ProductHandler.Type]
    ) async throws -> CatalogFile?
}

extension CatalogSource {
    /// The current catalog.
    ///
    /// - Parameter bundles: as in ``file(otherThan:bundles:handlers:)``.
    /// - Throws: ``CommandError`` that names the place and the error.
    package func load(bundles: [BundleName]?, handlers: [any ProductHandler.Type]) async throws -> CatalogFile {
        do {
            guard let file = try await file(otherThan: nil, bundles: bundles, handlers: handlers) else {
                throw CatalogError.none
            }
            return file
        } catch let error as CatalogError {
            let cause = isEditedByHand ? LocalUser.current.hindrance(at: name, orMissing: false) : nil
            throw CommandError("\(name): \(error)" + (cause.map { "; \($0)" } ?? ""))
        }
    }
}

extension CatalogError {
    package static let none = CatalogError("there is none; push one with quartermaster catalog push <file>")
}

/// The catalog in the file `products.json`.
package struct FileCatalog: CatalogSource {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    package var name: String { path }
    package var isEditedByHand: Bool { true }

    package func file(
        otherThan served: CatalogFile?, bundles: [BundleName]?, handlers: [any ProductHandler.Type]
    ) async throws -> CatalogFile? {
        let bytes = try CatalogFile.read(path)
        // Not by their hashes: that of a large catalog, twice a second, costs more than requests.
        guard bytes != served?.bytes else { return nil }
        return try CatalogFile(bytes, bundles: bundles, handlers: handlers)
    }
}
