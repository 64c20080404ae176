import AdminPages
import AuditSeal
import Basics
import Content
import Foundation
import Hummingbird
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
    var intake: ReceiptIntake
    var store: any Store
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
    let unsent: UnsentBudget
    let delivery: ContentSender
    /// The path of the content folder.
    let folder: String
    let metrics: ServerMetrics
    /// The separate address of `/metrics`; `nil` if it is on the main address.
    let metricsAddress: ListenAddress?
    let adminPages: AdminPagesSetting
    /// The simulated App Store, for its page; `nil` for Apple's.
    let simulator: SimulatorClient?
    let pageRenderer: PageRenderer
    /// The true time, even if the simulated App Store's passes faster: a session of an administrator is no purchase.
    let trueClock: @Sendable () -> Date
    let ids: RequestIDs
    let lines: RepeatedLines

    var router: Router<ServerContext> {
        let methods = RouteMethods()
        let router = emptyRouter(methods)
        router.add(middleware: ForwardedForWatch(clients))
        router.add(middleware: UnsentMiddleware(budget: unsent, clients: clients))
        router.add(middleware: SenderMiddleware(clients: clients))
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
            ledger: ledger, decisions: decisions, clients: clients, limiter: limits.unavailableProducts, random: random)
        unavailable.add(to: router)

        // The store
        NotificationRoutes(
            store: store, recorder: notifications, clients: clients, limiter: limits.notifications,
            clock: decisions.clock
        ).add(to: router)

        // Players
        let open = router.group("/v1")
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
            manifests: ManifestSigner(manifestKeys), decisions: decisions, random: random
        ).add(to: open, player)
        DeliveryRoutes(ledger: ledger, clock: decisions.clock).add(to: player)

        // Administrators
        let admin = AdminRouter(
            router.group("/admin/v1").add(
                middleware: AdminAuthentication(
                    ledger: ledger, clients: clients, limiter: limits.adminTokens, clock: decisions.clock)))
        AuditRoutes(ledger: ledger).add(to: admin)
        AppRoutes(editor: editor, live: decisions.live, clock: decisions.clock).add(to: admin)
        CatalogRoutes(editor: editor, live: decisions.live, clock: decisions.clock).add(to: admin)
        unavailable.add(to: admin)
        PreviewRoutes(lists: lists, clock: decisions.clock).add(to: admin)
        BundleListRoutes(
            publishing: publishing, publications: publications, live: decisions.live, clock: decisions.clock
        ).add(to: admin)
        BundleVersionRoutes(publishing: publishing).add(to: admin)
        UploadRoutes(publishing: publishing).add(to: admin)
        AccountReportRoutes(ledger: ledger, decisions: decisions, store: store).add(to: admin)
        DeliveryListRoutes(ledger: ledger, clock: decisions.clock).add(to: admin)
        ReceiptListRoutes(ledger: ledger).add(to: admin)
        NotificationListRoutes(ledger: ledger, clock: decisions.clock).add(to: admin)
        TesterListRoutes(ledger: ledger).add(to: admin)
        ReportRoutes(ledger: ledger, clock: decisions.clock).add(to: admin)
        NotificationTestRoutes(test: NotificationTest(ledger: ledger, decisions: decisions, store: store))
            .add(to: admin)
        OverviewRoutes(ledger: ledger, store: store, decisions: decisions).add(to: admin)
        let acts = SupportActs(ledger: ledger, decisions: decisions)
        SupportRoutes(acts: acts, random: random).add(to: admin)
        RenewalDateRoutes(
            acts: acts, dates: RenewalDates(ledger: ledger, decisions: decisions, store: store)
        ).add(to: admin)
        GrantRoutes(acts: acts, random: random).add(to: admin)
        if adminPages.isOnMain { pages.add(to: router, methods) }
        let separate = adminPages.address == nil ? [] : pageRouter(RouteMethods()).routes
        metrics.requests.declare((router.routes + separate).map(\.path.description) + [HealthRoutes.metricsPath])
        methods.declare(router)
        return router
    }

    private func emptyRouter(_ methods: RouteMethods) -> Router<ServerContext> {
        let router = Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: ProblemMiddleware(metrics: metrics.requests, ids: ids, methods: methods, lines: lines))
        return router
    }

    private var health: HealthRoutes {
        HealthRoutes(ledger: ledger, live: decisions.live, clock: decisions.clock, metrics: metrics)
    }

    /// The listener of `/metrics`, `/health` and `/ready` on an address of their own, without TLS, so that the main
    /// address can be open to everybody; `nil` if the settings name no such address.
    func metricsListener(_ logger: Logger) -> Listener? {
        guard let metricsAddress else { return nil }
        let methods = RouteMethods()
        let router = emptyRouter(methods)
        router.add(middleware: ChunkedBodyMiddleware())
        health.add(to: router, withMetrics: true)
        methods.declare(router)
        return Listener(
            address: metricsAddress,
            connections: ServerConnections(
                to: RouteResponder(router, logger).respond, nil, refusals(logger), connections, addresses,
                unsent),
            maximum: Limits.metricsConnections
        ) { announce("Quartermaster's metrics", at: metricsAddress.host, $0) }
    }

    private var pages: AdminPageRoutes {
        AdminPageRoutes(
            renderer: pageRenderer, ledger: ledger, decisions: decisions, store: store,
            catalog: CatalogServices(live: decisions.live, editor: editor, lists: lists),
            bundles: BundleServices(publishing: publishing, publications: publications, live: decisions.live),
            clients: clients, limiter: limits.adminTokens, random: random, simulator: simulator, trueClock: trueClock)
    }

    private func pageRouter(_ methods: RouteMethods) -> Router<ServerContext> {
        let router = emptyRouter(methods)
        router.add(middleware: ForwardedForWatch(clients))
        router.add(middleware: UnsentMiddleware(budget: unsent, clients: clients))
        router.add(middleware: SenderMiddleware(clients: clients))
        router.add(middleware: BodyBudgetMiddleware(budget: bodies, clients: clients))
        router.add(middleware: ChunkedBodyMiddleware())
        pages.add(to: router, methods)
        methods.declare(router)
        return router
    }

    /// The listener of the pages for administrators on an address of their own, without TLS, so that a proxy for
    /// players cannot show them by mistake; `nil` if the settings name no such address.
    func adminListener(_ logger: Logger) -> Listener? {
        guard let address = adminPages.address else { return nil }
        return Listener(
            address: address,
            connections: ServerConnections(
                to: RouteResponder(pageRouter(RouteMethods()), logger).respond, nil, refusals(logger), connections,
                addresses, unsent), maximum: Limits.adminConnections
        ) { announce("Quartermaster's pages for administrators", at: address.host, $0) }
    }

    /// Counts the connections of one listener.
    private var addresses: AddressConnections {
        AddressConnections(maximum: connections.perAddress, clients, refusals: metrics.connectionsRefused)
    }

    func refusals(_ logger: Logger) -> HeadRefusals {
        HeadRefusals(ids: ids, route: metrics.requests.route(nil), lines: lines, logger: logger)
    }

    /// - Parameters:
    ///   - isFast: whether plain requests are answered before the routes.
    ///   - certificate: makes connections use TLS; the routes then answer everything.
    ///   - onListening: is called once with the channel that listens.
    func listener(
        at address: ListenAddress, logger: Logger, isFast: Bool = true, certificate: ServerCertificate? = nil,
        onListening: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> Listener {
        let (responder, refusals) = (RouteResponder(router, logger), refusals(logger))
        let (routes, fast) = (responder.respond, isFast ? fastResponder(logger) : nil)
        return Listener(
            address: address,
            connections: certificate.map {
                SecureConnections(to: routes, $0, refusals, connections, addresses, unsent)
            } ?? ServerConnections(to: routes, fast, refusals, connections, addresses, unsent),
            maximum: OpenFiles.connections, meter: metrics.connections
        ) { channel in
            await onListening(channel)
            announce("Quartermaster", at: address.host, channel, isSecure: certificate != nil)
        }
    }

    func fastResponder(_ logger: Logger) -> FastResponder {
        FastResponder(
            files: cache, lists: lists, grants: grants, clock: decisions.clock,
            contentRoute: metrics.requests.route(ContentRoutes.path),
            productsRoute: metrics.requests.route(ProductRoutes.path), sent: metrics.contentSent, ids: ids,
            logger: logger)
    }
}
