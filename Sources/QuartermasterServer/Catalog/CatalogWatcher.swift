import Content
import Foundation
import InAppPurchase
import Logging
import ServiceLifecycle

/// Takes up changes of `products.json` and of the content folder while the server runs.
///
/// It looks at the bytes twice a second, which notices what a file watch misses: bind mounts, swapped symbolic links.
/// A bad file is reported once and changes nothing; a half-written one is read again before anything is said of it.
struct CatalogWatcher: Service {
    static let interval = Duration.milliseconds(500)
    /// Every how many looks at the catalog the content folder is looked at.
    static let contentEvery = 4

    let path: String
    let handlers: [any ProductHandler.Type]
    let live: LiveCatalog
    let content: FolderContentStore
    let ledger: any Ledger
    let decisions: Decisions
    let logger: Logger
    let metrics: ServerMetrics

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var seen = Seen()
            var look = 0
            while true {
                try await Task.sleep(for: Self.interval)
                look = (look + 1) % Self.contentEvery
                if look == 0 { await refreshContent() }
                await lookAtCatalog(&seen)
            }
        }
    }

    /// What earlier looks found out.
    struct Seen {
        /// Why the bytes of the last look were not served.
        var bad: String?
        var reported: String?
        /// The ledger has not met the catalog yet.
        var isBindingDue = false
    }

    /// One look at the file. Takes it up, reports it, or waits for the next look.
    func lookAtCatalog(_ seen: inout Seen) async {
        do {
            try await refreshCatalog(&seen)
            if seen.reported != nil { metrics.catalogReloaded(true) }
            (seen.bad, seen.reported) = (nil, nil)
        } catch {
            let mistake = "\(error)"
            if seen.bad == mistake, seen.reported != mistake {
                logger.error("catalog not replaced", metadata: ["mistake": "\(mistake)", "path": "\(path)"])
                metrics.catalogReloaded(false)
                seen.reported = mistake
            }
            seen.bad = mistake
        }
        if seen.isBindingDue { seen.isBindingDue = await !bindTerms() }
    }

    private func refreshCatalog(_ seen: inout Seen) async throws {
        let bytes = try CatalogFile.read(path)
        guard CatalogFile.revision(of: bytes) != live.current.revision else { return }
        let file = try CatalogFile(bytes, bundles: content.bundles(), handlers: handlers)
        live.replace(with: file)
        seen.isBindingDue = true
        logger.info("catalog replaced", metadata: ["revision": "\(file.revision)"])
    }

    private func refreshContent() async {
        let changes = await content.refresh(at: decisions.clock())
        for version in changes.added + changes.changed {
            logger.info("content published", metadata: ["version": "\(version)"])
        }
        for version in changes.removed { logger.warning("content gone", metadata: ["version": "\(version)"]) }
        for problem in changes.problems { logger.error("content refused", metadata: ["problem": "\(problem)"]) }
    }

    /// Delivers what was bought before the catalog had it.
    /// - Returns: whether the ledger could be asked.
    private func bindTerms() async -> Bool {
        do {
            let bound = try await ledger.bindTerms(in: decisions.context)
            if bound > 0 { logger.info("purchases met their product", metadata: ["transactions": "\(bound)"]) }
            return true
        } catch {
            logger.error("purchases could not meet their products", metadata: ["error": "\(error)"])
            return false
        }
    }
}
