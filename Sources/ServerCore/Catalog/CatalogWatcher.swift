package import Content
package import Foundation
package import InAppPurchase
import Logging
import ServerHTTP
import ServiceLifecycle

/// Reloads the catalog and the content when they change while the server runs.
///
/// It polls twice a second: a file's bytes, which also notices changes that a file watch misses, bind mounts and
/// swapped symbolic links; or the number of the newest revision, which works through every connection pooler. An
/// invalid file is reported once and changes nothing; a half-written one is read again before anything is reported.
package struct CatalogWatcher: Service {
    package static let interval = Duration.milliseconds(500)

    package let source: any CatalogSource
    package let handlers: [any ProductHandler.Type]
    package let activation: CatalogActivation
    package let content: any ContentRepository
    package let trail: CatalogAudit
    package let metrics: ServerMetrics
    /// The true time, which files are written at even if a simulated App Store has another.
    package let trueClock: @Sendable () -> Date

    package init(
        source: any CatalogSource, handlers: [any ProductHandler.Type], activation: CatalogActivation,
        content: any ContentRepository, trail: CatalogAudit, metrics: ServerMetrics,
        trueClock: @escaping @Sendable () -> Date
    ) {
        self.source = source
        self.handlers = handlers
        self.activation = activation
        self.content = content
        self.trail = trail
        self.metrics = metrics
        self.trueClock = trueClock
    }

    private var logger: Logger { activation.logger }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            // Concurrently, since an object store may be slow to answer.
            async let _: Void = watchContent()
            // Edits by hand made while no server was running are recorded at once: later, an edit by a command may have
            // its row already without being in the file yet, and would be taken for two edits by hand.
            var seen = Seen(unrecorded: source.isEditedByHand ? .unknown : .none)
            while true {
                await lookAtCatalog(&seen)
                try await Task.sleep(for: Self.interval)
            }
        }
    }

    /// The findings of earlier polls.
    package struct Seen {
        /// The error in the bytes of the last poll; `nil` if they are served.
        var bad: String?
        var reported: String?
        /// The catalog that was served before edits by hand that are not in the audit trail yet.
        var unrecorded = Unrecorded.none
    }

    enum Unrecorded {
        case none
        case since(CatalogFile)
        case unknown
    }

    /// Polls the catalog once: serves it, reports its error, or waits for the next poll.
    package func lookAtCatalog(_ seen: inout Seen) async {
        await activation.bindTermsIfDue()
        do {
            try await refreshCatalog(&seen)
            if seen.reported != nil { report(nil) }
            (seen.bad, seen.reported) = (nil, nil)
        } catch {
            let error = "\(error)"
            if seen.bad == error, seen.reported != error {
                logger.error("catalog not replaced", metadata: ["mistake": "\(error)", "path": "\(source.name)"])
                report(error)
                seen.reported = error
            }
            seen.bad = error
        }
        await record(&seen)
    }

    /// Tells operators that the newest catalog was refused, or that it is served.
    private func report(_ error: String?) {
        metrics.catalogReloaded(error == nil)
        activation.live.setRefusal(error, at: activation.decisions.clock())
    }

    private func refreshCatalog(_ seen: inout Seen) async throws {
        let served = activation.live.current
        let newer = try await source.file(otherThan: served, bundles: content.bundles(), handlers: handlers)
        guard let newer, await activation.reload(newer, after: served.revision), source.isEditedByHand else { return }
        if case .none = seen.unrecorded { seen.unrecorded = .since(served) }
    }

    /// Records edits by hand. If the ledger cannot be written now, the next poll tries again.
    private func record(_ seen: inout Seen) async {
        let old: CatalogFile?
        switch seen.unrecorded {
        case .none: return
        case .since(let file): old = file
        case .unknown: old = nil
        }
        do {
            try await trail.recordHandEdit(from: old, to: activation.live.current, at: activation.decisions.clock())
            seen.unrecorded = .none
        } catch {
            logger.error("the edit of the catalog is not recorded yet", metadata: ["error": "\(error)"])
        }
    }

    private func watchContent() async throws {
        while true {
            try await Task.sleep(for: content.refreshInterval)
            await content.refresh(at: trueClock()).log(logger)
        }
    }
}

/// The place of the catalog.
package enum CatalogLocation: String, CaseIterable, Sendable {
    /// `products.json`, a file of this machine.
    case file
    /// The ledger's database, which all its servers share.
    case database
}
