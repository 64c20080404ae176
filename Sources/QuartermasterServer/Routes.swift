import AdminPages
import AuditSeal
import CommandLine
import Content
import Foundation
package import Hummingbird
import Ledger
package import Logging
package import NIOCore
package import ServerCore
package import ServerHTTP
import StrictJSON

/// Assembles the routes of the server, and its listeners.
package struct Routes {
    package var services: ServerServices
    package let description: any RouteFeature
    let pageRenderer: PageRenderer
    /// The simulated App Store, for its page; `nil` for Apple's.
    package let simulator: SimulatorClient?
    /// The true time, even if the simulated App Store's passes faster: a session of an administrator is no purchase.
    let trueClock: @Sendable () -> Date
    let adminPages: AdminPagesSetting
    /// The separate address of `/metrics`; `nil` if it is on the main address.
    let metricsAddress: ListenAddress?

    /// The router of the main address, and the facts of its routes.
    package var main: (router: Router<ServerContext>, table: RouteTable) {
        let (router, table) = emptyRouter()
        addMiddleware(to: router, table)
        health.add(to: RouteGroup(router, table), withMetrics: metricsAddress == nil)
        let groups = services.groups(of: router, table)
        for feature in [description] + services.features { feature.add(to: groups) }
        if adminPages.isOnMain { pages.add(to: router, table) }
        let separate = adminPages.address == nil ? [] : pageRouter.table.routes
        services.metrics.requests.declare(
            (table.routes + separate).map(\.template) + [HealthRoutes.metricsPath])
        table.complete()
        return (router, table)
    }

    private func emptyRouter() -> (Router<ServerContext>, RouteTable) {
        let (router, table) = (
            Router(context: ServerContext.self, options: .autoGenerateHeadEndpoints), RouteTable()
        )
        router.add(
            middleware: ProblemMiddleware(
                metrics: services.metrics.requests, ids: services.ids, table: table, lines: services.lines))
        return (router, table)
    }

    private func addMiddleware(to router: Router<ServerContext>, _ table: RouteTable) {
        let clients = services.clients
        router.add(middleware: ForwardedForWatch(clients))
        router.add(middleware: UnsentMiddleware(budget: services.unsent, clients: clients))
        router.add(middleware: SenderMiddleware(clients: clients))
        router.add(middleware: BodyBudgetMiddleware(budget: services.bodies, clients: clients))
        router.add(middleware: ChunkedBodyMiddleware(table: table))
    }

    private var health: HealthRoutes {
        HealthRoutes(
            ledger: services.ledger, live: services.decisions.live, clock: services.clock, metrics: services.metrics)
    }

    /// The listener of `/metrics`, `/health` and `/ready` on an address of their own, without TLS, so that the main
    /// address can be open to everybody; `nil` if the settings name no such address.
    package func metricsListener(_ logger: Logger) -> Listener? {
        guard let metricsAddress else { return nil }
        let (router, table) = emptyRouter()
        router.add(middleware: ChunkedBodyMiddleware(table: table))
        health.add(to: RouteGroup(router, table), withMetrics: true)
        table.complete()
        return Listener(
            address: metricsAddress,
            connections: ServerConnections(
                to: RouteResponder(router, logger).respond, nil, refusals(logger), services.connections,
                addresses, services.unsent),
            maximum: Limits.metricsConnections
        ) { announce("Quartermaster's metrics", at: metricsAddress.host, $0) }
    }

    private var pages: AdminPageRoutes {
        AdminPageRoutes(services, renderer: pageRenderer, simulator: simulator, trueClock: trueClock)
    }

    private var pageRouter: (router: Router<ServerContext>, table: RouteTable) {
        let (router, table) = emptyRouter()
        addMiddleware(to: router, table)
        pages.add(to: router, table)
        table.complete()
        return (router, table)
    }

    /// The listener of the pages for administrators on an address of their own, without TLS, so that a proxy for
    /// players cannot show them by mistake; `nil` if the settings name no such address.
    package func adminListener(_ logger: Logger) -> Listener? {
        guard let address = adminPages.address else { return nil }
        return Listener(
            address: address,
            connections: ServerConnections(
                to: RouteResponder(pageRouter.router, logger).respond, nil, refusals(logger),
                services.connections, addresses, services.unsent), maximum: Limits.adminConnections
        ) { announce("Quartermaster's pages for administrators", at: address.host, $0) }
    }

    /// Counts the connections of one listener.
    private var addresses: AddressConnections {
        AddressConnections(
            maximum: services.connections.perAddress, services.clients,
            refusals: services.metrics.connectionsRefused)
    }

    package func refusals(_ logger: Logger) -> HeadRefusals {
        HeadRefusals(
            ids: services.ids, route: services.metrics.requests.route(nil), lines: services.lines, logger: logger)
    }

    /// - Parameters:
    ///   - isFast: whether plain requests are answered before the routes.
    ///   - certificate: makes connections use TLS; the routes then answer everything.
    ///   - onListening: is called once with the channel that listens.
    package func listener(
        at address: ListenAddress, logger: Logger, isFast: Bool = true, certificate: ServerCertificate? = nil,
        onListening: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> Listener {
        let (responder, refusals) = (RouteResponder(main.router, logger), refusals(logger))
        let (routes, fast) = (responder.respond, isFast ? fastResponder(logger) : nil)
        return Listener(
            address: address,
            connections: certificate.map {
                SecureConnections(to: routes, $0, refusals, services.connections, addresses, services.unsent)
            } ?? ServerConnections(to: routes, fast, refusals, services.connections, addresses, services.unsent),
            maximum: OpenFiles.connections, meter: services.metrics.connections
        ) { channel in
            await onListening(channel)
            announce("Quartermaster", at: address.host, channel, isSecure: certificate != nil)
        }
    }

    package func fastResponder(_ logger: Logger) -> FastResponder {
        let requests = services.metrics.requests
        return FastResponder(
            files: services.cache, lists: services.lists, grants: services.grants, clock: services.clock,
            contentRoute: requests.route(ContentRoutes.path), productsRoute: requests.route(ProductRoutes.path),
            sent: services.metrics.contentSent, ids: services.ids, logger: logger)
    }
}
