import Content
import Foundation
import InAppPurchase
import Logging
import ServiceLifecycle

/// Takes up changes of the catalog and of the content while the server runs.
///
/// It looks twice a second: at a file's bytes, which notices what a file watch misses, bind mounts and swapped symbolic
/// links; at the number of the newest revision, which works through every pooler of connections.
/// A bad file is reported once and changes nothing; a half-written one is read again before anything is said of it.
struct CatalogWatcher: Service {
    static let interval = Duration.milliseconds(500)

    let source: any CatalogSource
    let handlers: [any ProductHandler.Type]
    let uptake: CatalogActivation
    let content: any ContentRepository
    let trail: CatalogAudit
    let metrics: ServerMetrics

    private var logger: Logger { uptake.logger }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            // An object store may be slow to answer.
            async let _: Void = watchContent()
            // What was edited by hand while no server ran.
            var seen = Seen(unrecorded: source.isEditedByHand ? .unknown : .none)
            while true {
                try await Task.sleep(for: Self.interval)
                await lookAtCatalog(&seen)
            }
        }
    }

    /// What earlier looks found out.
    struct Seen {
        /// Why the bytes of the last look were not served.
        var bad: String?
        var reported: String?
        /// What was served before edits by hand that the audit trail does not know yet.
        var unrecorded = Unrecorded.none
    }

    enum Unrecorded {
        case none
        case since(CatalogFile)
        case unknown
    }

    /// One look at the file. Takes it up, reports it, or waits for the next look.
    func lookAtCatalog(_ seen: inout Seen) async {
        await uptake.bindTermsIfDue()
        do {
            try await refreshCatalog(&seen)
            if seen.reported != nil { metrics.catalogReloaded(true) }
            (seen.bad, seen.reported) = (nil, nil)
        } catch {
            let mistake = "\(error)"
            if seen.bad == mistake, seen.reported != mistake {
                logger.error("catalog not replaced", metadata: ["mistake": "\(mistake)", "path": "\(source.name)"])
                metrics.catalogReloaded(false)
                seen.reported = mistake
            }
            seen.bad = mistake
        }
        await record(&seen)
    }

    private func refreshCatalog(_ seen: inout Seen) async throws {
        let served = uptake.live.current
        let newer = try await source.file(otherThan: served, bundles: content.bundles(), handlers: handlers)
        guard let newer, await uptake.reload(newer, after: served.revision), source.isEditedByHand else { return }
        if case .none = seen.unrecorded { seen.unrecorded = .since(served) }
    }

    /// Where the ledger cannot write now, the next look tries again.
    private func record(_ seen: inout Seen) async {
        let old: CatalogFile?
        switch seen.unrecorded {
        case .none: return
        case .since(let file): old = file
        case .unknown: old = nil
        }
        do {
            try await trail.recordHandEdit(from: old, to: uptake.live.current, at: uptake.decisions.clock())
            seen.unrecorded = .none
        } catch {
            logger.error("the edit of the catalog is not recorded yet", metadata: ["error": "\(error)"])
        }
    }

    private func watchContent() async throws {
        while true {
            try await Task.sleep(for: content.refreshInterval)
            await content.refresh(at: uptake.decisions.clock()).log(logger)
        }
    }
}
