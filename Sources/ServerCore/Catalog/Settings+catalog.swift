package import Basics
package import Foundation
package import InAppPurchase
package import Ledger
package import Logging

extension Settings {
    /// The source of the catalog.
    ///
    /// A ledger that has no catalog yet gets the file as its first revision.
    package func catalogSource(
        _ ledger: any CatalogLedger & AuditLedger & KeyValueStore, at date: Date, _ logger: Logger? = nil
    ) async throws
        -> any CatalogSource
    {
        switch catalog {
        case .file: return FileCatalog(path: products)
        case .database:
            let source = LedgerCatalog(ledger: ledger)
            if try await source.adopt(products, at: date) {
                logger?.notice(
                    "the catalog is in the database from now on; the file is not read any more",
                    metadata: ["path": "\(products)"])
            }
            return source
        }
    }

    /// The source of the catalog for a command; nothing is created.
    ///
    /// - Throws: ``CommandError`` if there is no file, or no ledger, to read it from.
    package func existingCatalog(_ handlers: [any ProductHandler.Type]) throws -> any CatalogSource {
        try requireShop()
        switch catalog {
        case .file: return FileCatalog(path: products)
        case .database: return LedgerCatalog(ledger: try LedgerOpener.openExisting(database, handlers: handlers))
        }
    }

    /// - Throws: ``CommandError`` that says how a shop is made, if the catalog is a file and there is none.
    package func requireShop() throws {
        guard catalog == .file, !FileManager.default.fileExists(atPath: products) else { return }
        throw CommandError(
            """
            \(LedgerOpener.whole(products)): there is no shop here; quartermaster init <folder> --bundle-id … makes one
            """)
    }

    /// - Parameter activation: serves the edited catalog; `nil` in a command.
    package func catalogEditor(
        _ ledger: any CatalogLedger & AuditLedger & KeyValueStore, _ handlers: [any ProductHandler.Type],
        bundles: @escaping @Sendable () -> [BundleName], _ activation: CatalogActivation?
    ) -> any CatalogEditing {
        switch catalog {
        case .file:
            CatalogEditor(
                path: products, handlers: handlers, bundles: bundles, trail: CatalogAudit(ledger: ledger),
                effect: activation.map { .serve($0) } ?? .none)
        case .database:
            LedgerCatalogEditor(ledger: ledger, handlers: handlers, bundles: bundles, activation: activation)
        }
    }
}
