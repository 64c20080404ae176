import AuditSeal
import Basics
import Content
import Foundation
import Hummingbird
import HummingbirdCore
import Ledger
import Logging
import NIOCore

/// Assembles the routes of the server.
struct Routes {
    let description: DescriptionRoutes
    let manifestKeys: ManifestKeyring
    let publications: PublicationDates
    let ledger: any Ledger
    let decisions: ServingContext
    let intake: ReceiptIntake
    let store: any Store
    let notifications: NotificationRecorder
    let content: any ContentRepository
    let cache: ContentCache
    let lists: ProductLists
    let grants: GrantKeyring
    let editor: any CatalogEditing
    let publishing: Publishing
    let auditKeys: AuditKeys
    let random: RandomBytes
    let clients: ClientAddresses
    let limits: RateLimits
    let connections: ConnectionLimits
    let bodies: BodyBudget
    let delivery: Delivery
    /// The path of the content folder.
    let folder: String
    let metrics: ServerMetrics
    /// The separate address of `/metrics`; `nil` if it is on the main address.
    let metricsAddress: ListenAddress?
    let ids: RequestIDs
    let lines: RepeatedLines

    var router: Router<ServerContext> {
        let methods = RouteMethods()
        let router = emptyRouter(methods)
        router.add(middleware: ForwardedForWatch(clients))
        router.add(middleware: BodyBudgetMiddleware(budget: bodies, clients: clients))
        router.add(middleware: ChunkedBodyMiddleware())

        // Without authentication
        health.add(to: router, withMetrics: metricsAddress == nil)
        description.add(to: router)
        KeyRoutes(keys: auditKeys, manifests: manifestKeys).add(to: router)
        ProductRoutes(lists: lists, clock: decisions.clock).add(to: router)
        ContentRoutes(
            content: content, cache: cache, grants: grants, delivery: delivery, folder: folder,
            limits: connections, clock: decisions.clock, sent: metrics.contentSent
        ).add(to: router)
        AccountRoutes(
            ledger: ledger, decisions: decisions, clients: clients, limits: limits, clock: decisions.clock,
            random: random
        ).add(to: router)

        let unavailable = UnavailableProductRoutes(
            ledger: ledger, decisions: decisions, clients: clients, limiter: limits.unavailableProducts,
            random: random)
        unavailable.add(to: router)

        // The store
        NotificationRoutes(
            store: store, recorder: notifications, clients: clients, limiter: limits.notifications,
            clock: decisions.clock
        ).add(to: router)

        // Players
        let player = router.group("/v1").add(middleware: PlayerAuthentication(ledger: ledger))
        let entitlements = EntitlementRoutes(ledger: ledger, publications: publications, decisions: decisions)
        entitlements.add(to: player)
        HistoryRoutes(ledger: ledger, decisions: decisions).add(to: player)
        ReceiptRoutes(
            intake: intake, entitlements: entitlements, ledger: ledger, decisions: decisions,
            limiter: limits.receipts, clients: clients
        ).add(to: player)
        ConsentRoutes(ledger: ledger, clock: decisions.clock).add(to: player)
        OfferRoutes(ledger: ledger, decisions: decisions, store: store).add(to: player)
        BundleRoutes(
            ledger: ledger, content: content, publications: publications, grants: grants,
            manifests: ManifestSigner(manifestKeys),
            decisions: decisions, random: random
        ).add(to: player)
        DeliveryRoutes(ledger: ledger, clock: decisions.clock).add(to: player)

        // Administrators
        let admin = AdminRouter(
            router.group("/admin/v1").add(
                middleware: AdminAuthentication(
                    ledger: ledger, clients: clients, limiter: limits.adminTokens, clock: decisions.clock)))
        AuditRoutes(ledger: ledger).add(to: admin)
        CatalogRoutes(editor: editor, live: decisions.live, clock: decisions.clock).add(to: admin)
        unavailable.add(to: admin)
        PreviewRoutes(lists: lists, clock: decisions.clock).add(to: admin)
        BundleVersionRoutes(publishing: publishing).add(to: admin)
        UploadRoutes(publishing: publishing).add(to: admin)
        AccountReportRoutes(ledger: ledger, decisions: decisions, store: store).add(to: admin)
        DeliveryListRoutes(ledger: ledger, clock: decisions.clock).add(to: admin)
        ReceiptListRoutes(ledger: ledger).add(to: admin)
        ReportRoutes(ledger: ledger, clock: decisions.clock).add(to: admin)
        SupportRoutes(ledger: ledger, decisions: decisions).add(to: admin)
        metrics.requests.declare(router.routes.map(\.path.description) + [HealthRoutes.metricsPath])
        methods.declare(router)
        return router
    }

    private func emptyRouter(_ methods: RouteMethods) -> Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        router.add(
            middleware: ProblemMiddleware(metrics: metrics.requests, ids: ids, methods: methods, lines: lines))
        return router
    }

    private var health: HealthRoutes {
        HealthRoutes(ledger: ledger, live: decisions.live, clock: decisions.clock, metrics: metrics)
    }

    /// The application that serves `/metrics`, `/health` and `/ready` on an address of their own, without TLS, so that
    /// the main address can be open to everybody; `nil` if the settings name no such address.
    func metricsApplication(_ logger: Logger) -> Application<RouterResponder<ServerContext>>? {
        guard let metricsAddress else { return nil }
        let methods = RouteMethods()
        let router = emptyRouter(methods)
        router.add(middleware: ChunkedBodyMiddleware())
        health.add(to: router, withMetrics: true)
        methods.declare(router)
        let addresses = AddressConnections(
            maximum: connections.perAddress, clients, refusals: metrics.connectionsRefused)
        return Application(
            router: router,
            server: HTTPServerBuilder { routes in
                ServerConnections(to: routes, nil, refusals(logger), connections, addresses)
            },
            configuration: .init(
                address: .hostname(metricsAddress.host, port: metricsAddress.port),
                availableConnectionsDelegate: MaximumAvailableConnections(Limits.metricsConnections)),
            onServerRunning: { announce("Quartermaster's metrics", at: metricsAddress.host, $0) },
            logger: logger)
    }

    private func refusals(_ logger: Logger) -> HeadRefusals {
        HeadRefusals(ids: ids, route: metrics.requests.route(nil), lines: lines, logger: logger)
    }

    /// - Parameters:
    ///   - isFast: whether the fast path answers plain requests before the routes.
    ///   - certificate: makes connections use TLS; the routes then answer everything.
    ///   - onListening: is called once with the channel that listens.
    func application(
        host: String, port: Int, logger: Logger, isFast: Bool = true, certificate: ServerCertificate? = nil,
        onListening: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> Application<RouterResponder<ServerContext>> {
        let router = router
        let (responder, refusals) = (isFast ? fastResponder(logger) : nil, refusals(logger))
        let addresses = AddressConnections(
            maximum: connections.perAddress, clients, refusals: metrics.connectionsRefused)
        return Application(
            router: router,
            server: HTTPServerBuilder { routes in
                guard let certificate else {
                    return ServerConnections(to: routes, responder, refusals, connections, addresses)
                }
                return SecureConnections(to: routes, certificate, refusals, connections, addresses)
            },
            configuration: .init(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: CountedConnections(
                    limit: .maximum(OpenFiles.connections, logger: logger), open: metrics.connections)),
            onServerRunning: { channel in
                await onListening(channel)
                announce("Quartermaster", at: host, channel, isSecure: certificate != nil)
                try? await channel.setOption(.maxMessagesPerRead, value: Limits.acceptsPerTurn).get()
            },
            logger: logger)
    }

    func fastResponder(_ logger: Logger) -> FastResponder {
        FastResponder(
            files: cache, lists: lists, grants: grants, clock: decisions.clock,
            contentRoute: metrics.requests.route(ContentRoutes.path),
            productsRoute: metrics.requests.route(ProductRoutes.path), sent: metrics.contentSent, ids: ids,
            logger: logger)
    }
}
