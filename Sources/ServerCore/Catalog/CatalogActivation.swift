package import Basics
package import Ledger
package import Logging
import ServerHTTP

/// Reloads the catalog: replaces the one that is served.
package struct CatalogActivation: Sendable {
    package let decisions: ServingContext
    package let ledger: any CatalogLedger & KeyValueStore
    package let logger: Logger

    package var live: LiveCatalog { decisions.live }

    package init(_ decisions: ServingContext, _ ledger: any CatalogLedger & KeyValueStore, _ logger: Logger) {
        self.decisions = decisions
        self.ledger = ledger
        self.logger = logger
    }

    /// Serves the file from now on, and delivers what was bought before the catalog had the product.
    ///
    /// - Parameter revision: the revision that must still be served; if another one is by now, nothing changes. `nil`
    ///   for any.
    /// - Returns: whether the file is served now.
    func reload(_ file: CatalogFile, after revision: String? = nil) async -> Bool {
        guard live.replace(with: file, after: revision) else { return false }
        logger.info("catalog replaced", metadata: ["revision": "\(file.revision)"])
        for mistake in file.catalog.placementMistakes { mistake.log(to: logger) }
        await bindTermsIfDue()
        return true
    }

    /// Records the starting credits of new accounts and the changes of placements, and delivers what was bought before
    /// the catalog had the product, if that has not been done with the current catalog. If the ledger fails, it is
    /// tried again with the next call.
    func bindTermsIfDue() async {
        guard live.clearBindingDue() else { return }
        do {
            let context = decisions.context
            try await PlacementDates(ledger).record(context.catalog, at: context.date)
            try await ledger.recordStartingCredits(in: context)
            let bound = try await ledger.bindTerms(in: context)
            if bound > 0 {
                logger.info(
                    "delivered purchases that were waiting for a catalog entry", metadata: ["transactions": "\(bound)"])
            }
        } catch {
            live.setBindingDue()
            logger.error(
                "purchases waiting for a catalog entry could not be delivered", metadata: ["error": "\(error)"])
        }
    }
}
