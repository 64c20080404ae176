import AuditSeal
import Content
import Foundation
import Hummingbird
import HummingbirdCore
import InAppPurchase
import Logging
import NIOCore

/// Every URL, and what answers it.
struct Routes {
    let ledger: any Ledger
    let decisions: Decisions
    let intake: ReceiptIntake
    let notifications: NotificationIntake
    let content: any ContentStore
    let grants: GrantKeyring
    let editor: CatalogEditor
    let auditKeys: AuditKeys
    let random: RandomBytes
    let clients: ClientAddresses
    let limits: RateLimits
    let metrics: ServerMetrics

    var router: Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware(metrics: metrics.requests))

        // Anybody
        HealthRoutes(ledger: ledger, live: decisions.live, clock: decisions.clock, metrics: metrics).add(to: router)
        KeyRoutes(keys: auditKeys).add(to: router)
        ProductRoutes(live: decisions.live, clock: decisions.clock).add(to: router)
        ContentRoutes(content: content, grants: grants, clock: decisions.clock, sent: metrics.contentSent)
            .add(to: router)
        AccountRoutes(
            ledger: ledger, clients: clients, limits: limits, clock: decisions.clock, random: random
        ).add(to: router)

        // The store
        NotificationRoutes(
            intake: notifications, clients: clients, limiter: limits.notifications, clock: decisions.clock
        )
        .add(to: router)

        // Players
        let player = router.group("/v1").add(middleware: PlayerAuthentication(ledger: ledger))
        let entitlements = EntitlementRoutes(ledger: ledger, decisions: decisions)
        entitlements.add(to: player)
        ReceiptRoutes(
            intake: intake, entitlements: entitlements, ledger: ledger, decisions: decisions, limiter: limits.receipts
        ).add(to: player)
        ConsentRoutes(ledger: ledger, clock: decisions.clock).add(to: player)
        BundleRoutes(ledger: ledger, content: content, grants: grants, decisions: decisions).add(to: player)

        // Administrators
        let admin = router.group("/admin/v1").add(
            middleware: AdminAuthentication(
                tokens: ledger, clients: clients, limiter: limits.adminTokens, clock: decisions.clock))
        AuditRoutes(trail: ledger).add(to: admin)
        CatalogRoutes(editor: editor, live: decisions.live, clock: decisions.clock).add(to: admin)
        DossierRoutes(dossiers: ledger, decisions: decisions).add(to: admin)
        SupportRoutes(acts: ledger, decisions: decisions).add(to: admin)
        metrics.requests.declare(router.routes.map(\.path.description))
        return router
    }

    /// - Parameter onListening: is called once with the channel that listens.
    func application(
        host: String, port: Int, logger: Logger, onListening: @escaping @Sendable (any Channel) async -> Void
    ) -> Application<RouterResponder<ServerContext>> {
        Application(
            router: router,
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [
                        DrainingCloseHandler(), BodyDeadlineHandler(), ExpectContinueHandler(),
                    ], idleTimeout: Limits.idleTime,
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: Limits.headerFieldBytes, maxHeaderListSize: Limits.headerBytes,
                        maxHeaderFieldCount: Limits.headerFields))),
            configuration: .init(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: CountedConnections(
                    limit: .maximum(OpenFiles.connections, logger: logger), open: metrics.connections)),
            onServerRunning: {
                await onListening($0)
                announce("Quartermaster", at: host, $0)
            },
            logger: logger)
    }
}
