import Basics
package import Foundation
import HTTPTypes
package import Hummingbird
package import Ledger
package import ServerCore
package import ServerHTTP

/// All pages for administrators.
package struct AdminPageRoutes: Sendable {
    package let renderer: PageRenderer
    package let ledger: any Ledger
    package let decisions: ServingContext
    package let store: any Store
    package let catalog: CatalogServices
    package let bundles: BundleServices
    package let clients: ClientAddresses
    /// The rate limit of wrong tokens, by address; that of the admin API.
    let limiter: RateLimiter<IPAddress?>
    package let random: RandomBytes
    /// The simulated App Store; `nil` for Apple's.
    package let simulator: SimulatorClient?
    /// The clock of sessions; events of purchases are shown in the time of ``decisions``.
    package let trueClock: @Sendable () -> Date

    package init(
        _ services: ServerServices, renderer: PageRenderer, simulator: SimulatorClient?,
        trueClock: @escaping @Sendable () -> Date
    ) {
        self.renderer = renderer
        ledger = services.ledger
        decisions = services.decisions
        store = services.store
        catalog = CatalogServices(
            live: decisions.live, editor: services.editor, lists: services.lists, ledger: services.ledger)
        bundles = BundleServices(
            publishing: services.publishing, publications: services.publications, live: decisions.live)
        clients = services.clients
        limiter = services.limits.adminTokens
        random = services.random
        self.simulator = simulator
        self.trueClock = trueClock
    }

    package func add(to router: Router<ServerContext>, _ table: RouteTable) {
        let sessions = AdminSessions(ledger: ledger, random: random)
        let responder = PageResponder(
            renderer: renderer, sessions: sessions, clock: decisions.clock, trueClock: trueClock,
            sections: PageSection.allCases.filter { $0 != .simulator || simulator != nil })
        router.add(middleware: UnknownPageMiddleware(responder: responder, methods: table.methods))
        let routes = RouteGroup(router, table, for: .visitors)
        let pages = PageRouter(routes: routes, responder: responder)
        AssetRoutes().add(to: routes)
        SignInPages(
            ledger: ledger, sessions: sessions, clients: clients, limiter: limiter, clock: trueClock, random: random
        ).add(to: pages)
        OverviewPage(ledger: ledger, decisions: decisions, store: store, repository: bundles.publishing.content)
            .add(to: pages)
        AccountPages(ledger: ledger, decisions: decisions, store: store).add(to: pages)
        let acts = SupportActs(ledger: ledger, decisions: decisions)
        AccountActPages(acts: acts, random: random).add(to: pages)
        RenewalDatePages(
            acts: acts, dates: RenewalDates(ledger: ledger, decisions: decisions, store: store), random: random
        ).add(to: pages)
        AppTransactionPages(
            acts: acts, fetch: AppTransactionFetch(ledger: ledger, decisions: decisions, store: store, random: random)
        ).add(to: pages)
        ReceiptPages(ledger: ledger, acts: acts).add(to: pages)
        DeliveryPages(ledger: ledger, decisions: decisions).add(to: pages)
        ProductPages(catalog: catalog).add(to: pages)
        ProductEditPages(catalog: catalog).add(to: pages)
        NewProductPages(catalog: catalog).add(to: pages)
        SubscriberExtensionPages(
            extensions: SubscriberExtensions(ledger: ledger, decisions: decisions, store: store), random: random
        ).add(to: pages)
        AppSettingsPages(catalog: catalog).add(to: pages)
        ProductPreviewPage(catalog: catalog).add(to: pages)
        CatalogHistoryPages(catalog: catalog).add(to: pages)
        BundlePages(desk: bundles).add(to: pages)
        VersionPreviewPages(desk: bundles).add(to: pages)
        VersionActPages(desk: bundles).add(to: pages)
        VersionUploadPages(desk: bundles, random: random).add(to: pages)
        StorePage(ledger: ledger, decisions: decisions, store: store).add(to: pages)
        SandboxPage(ledger: ledger, decisions: decisions).add(to: pages)
        SandboxEditPages(catalog: catalog).add(to: pages)
        NotificationTestPages(test: NotificationTest(ledger: ledger, decisions: decisions, store: store)).add(to: pages)
        ReportsPage(ledger: ledger, decisions: decisions).add(to: pages)
        PlacementsPage(ledger: ledger, decisions: decisions).add(to: pages)
        AuditTrailPage(ledger: ledger).add(to: pages)
        if let simulator { SimulatorPages(simulator: simulator, decisions: decisions).add(to: pages) }
        TimeZonePage().add(to: pages)
        TokenPages(ledger: ledger, sessions: sessions, trueClock: trueClock).add(to: pages)
    }
}

/// Answers a request for a page that does not exist with a page; paths below `/admin/v1` are no pages.
struct UnknownPageMiddleware: RouterMiddleware {
    let responder: PageResponder
    let methods: RouteMethods

    func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        do { return try await next(request, context) } catch {
            guard Self.isPage(request.uri.path), let refusal = refusal(of: error, request, context) else { throw error }
            return try await responder.answer(request, context, nil) { _ in throw refusal }
        }
    }

    private static func isPage(_ path: String) -> Bool {
        let parts = path.split(separator: "/")
        return parts.first == "admin" && parts.dropFirst().first != "v1"
    }

    private func refusal(of error: any Error, _ request: Request, _ context: ServerContext) -> Problem? {
        if let wrongMethod = methods.refusal(of: request, context) { return wrongMethod }
        guard (error as? any HTTPResponseError)?.status == .notFound else { return nil }
        return Problem(
            .notFound, "not_found", "There is no such page", detail: "The address may be mistyped or out of date.")
    }
}
