import AdminPages
package import AppStoreService
package import AppStoreSimulator
import Content
package import Foundation
package import InAppPurchase
package import Ledger
package import Logging
import NIOCore
package import ServerCore
package import ServerHTTP
package import ServiceLifecycle

/// A server that is assembled and not running yet.
package struct Assembly {
    package let listener: Listener
    /// The listener of the separate `/metrics` address; `nil` if the settings name none.
    package let metricsListener: Listener?
    /// The listener of the separate address of the pages; `nil` if the settings name none.
    package let adminListener: Listener?
    package let routes: Routes
    package let worker: RetryWorker
    package let store: AppStoreServices
    package let notifications: NotificationWorker
    /// The services in the order of their dependence; ``listener`` comes last.
    package let services: [any Service]
    private let notifier: SystemdNotifier

    /// Assembles a server from its settings. Tests call it as the command line does.
    ///
    /// - Parameters:
    ///   - environment: of the process, in which systemd names its socket.
    ///   - simulatorAddress: the base URL of a simulated App Store elsewhere, for its page; `nil` for the server's own,
    ///     if it has one.
    /// - Throws: an error whose description is one line for the operator.
    package static func build(
        _ settings: Settings, handlers: [any ProductHandler.Type], ledger: any Ledger,
        clock: @escaping @Sendable () -> Date, random: @escaping RandomBytes, logger: Logger,
        metrics: ServerMetrics = ServerMetrics(), environment: [String: String] = [:], simulatorAddress: String? = nil
    ) async throws -> Assembly {
        let renderer = try PageRenderer()
        let (ids, lines) = (RequestIDs(random), RepeatedLines(clock: clock, logger: logger))
        let certificate = try settings.tls.map {
            try ServerCertificate($0, notAfter: metrics.certificateNotAfter, logger)
        }
        let time = try await settings.simulatorClock(ledger, base: clock)
        // An object store uses the true time, even if the simulated App Store's passes faster.
        let trueClock = clock
        let clock = { @Sendable in time?.now ?? trueClock() }
        let content = try await settings.openContent(
            published: PublicationDates.published(in: ledger), at: trueClock(), clock: trueClock)
        ContentChanges(problems: content.problems).log(logger)
        let source = try await settings.catalogSource(ledger, at: clock(), logger)
        let live = LiveCatalog(try await source.load(bundles: content.bundles(), handlers: handlers))
        let decisions = try ServingContext(settings, live, clock: clock)
        try await SimulatorMark.check(ledger, isSimulator: settings.simulator)
        try await PlacementDates(ledger).record(live.current.catalog, at: clock())
        try await ledger.recordStartingCredits(in: decisions.context)
        _ = try await ledger.bindTerms(in: decisions.context)
        let grants = try await GrantKeyring(ledger, random: random, clock: clock, logger: logger)
        let manifestKeys = try await ManifestKeyring(
            ledger, every: settings.manifestKeyDays, random: random, clock: clock, logger: logger)
        let sealer = try await AuditSealer(
            ledger, random: random, clock: clock, logger: logger, file: try settings.checkpoints.file())
        let publications = try await PublicationDates(content, ledger, clock: clock, logger: logger)
        // Opened last of all that can throw: its HTTP client must be shut down, which its service does.
        let recorder = NotificationRecorder(
            ledger: ledger, decisions: decisions, logger: logger, lines: lines, metrics: metrics)
        let store = try await AppStoreServices.open(settings, notifications: recorder, time: time, random: random)
        let intake = ReceiptIntake(
            ledger: ledger, decisions: decisions, store: store, random: random, logger: logger, lines: lines,
            metrics: metrics)
        for item in await store.condition(of: []).setup + live.current.catalog.setup { item.log(to: logger) }
        let worker = RetryWorker(intake: intake, ledger: ledger, clock: clock, logger: logger, outages: store.outages)
        let notifications = NotificationWorker(
            ledger: ledger, decisions: decisions, store: store, random: random, logger: logger)
        let workers: [any Service] = [
            worker.serving(.receipts), worker.serving(.transactionIDs), notifications,
            AfterDeliveryWorker(store: store),
            ReconciliationWorker(store: store, logger: logger),
            FactsBackfill(ledger: ledger, store: store, decisions: decisions, logger: logger),
            BegunPeriodWorker(ledger: ledger, decisions: decisions, logger: logger),
            ReportDayWorker(ledger: ledger, clock: clock, logger: logger),
            MisplacedPurchaseCounter(ledger: ledger, logger: logger),
        ]
        let (activation, trail) = (CatalogActivation(decisions, ledger, logger), CatalogAudit(ledger: ledger))
        let watcher = CatalogWatcher(
            source: source, handlers: handlers, activation: activation, content: content, trail: trail,
            metrics: metrics, trueClock: trueClock)
        let editor = settings.catalogEditor(ledger, handlers, bundles: content.bundles, activation)
        let publishing = Publishing(
            settings.contentPlace(clock: trueClock), content: content, trail: ledger, clock: clock, logger: logger)
        let cache = ContentCache(content, sendfile: settings.sendfile, maximumFiles: OpenFiles.cached, clock: clock)
        let watch = OverviewWatch(
            ledger: ledger, store: store, decisions: decisions, content: content, metrics: metrics, logger: logger,
            server: settings.serverName, trueClock: trueClock)
        let writes = LedgerWatch(ledger: ledger, clock: clock, logger: logger)
        var keepers: [any Service] = [lines, sealer, grants, manifestKeys, cache, publications, watcher, watch, writes]
        if let folder = content as? FolderRepository {
            keepers.append(VariantWorker(content: folder, patchVersions: settings.patchVersions, logger: logger))
        }
        let clients = ClientAddresses(trusted: settings.trustedProxies)
        let services = ServerServices(
            ledger: ledger, decisions: decisions, store: store, recorder: recorder, intake: intake, content: content,
            publications: publications, cache: cache, lists: ProductLists(live, content, publications), grants: grants,
            manifestKeys: manifestKeys, auditKeys: sealer.keys, editor: editor, publishing: publishing,
            delivery: settings.delivery, folder: settings.content, limits: RateLimits(settings.limits, metrics),
            connections: settings.connections, clients: clients, bodies: BodyBudget(refusals: metrics.bodiesRefused),
            unsent: UnsentBudget(clients, ended: metrics.unsentEnded), metrics: metrics, ids: ids, lines: lines,
            random: random)
        let routes = Routes(
            services: services, description: try DescriptionRoutes(), pageRenderer: renderer,
            simulator: store.simulatorClient(settings, at: simulatorAddress), trueClock: trueClock,
            adminPages: settings.adminPages, metricsAddress: settings.metricsListen)
        metrics.start(at: clock())
        let notifier = SystemdNotifier(environment, logger)
        let listener = routes.listener(
            at: ListenAddress(host: settings.host, port: settings.port), logger: logger, certificate: certificate
        ) { channel in
            await store.serverListens(settings, port: channel.localAddress?.port ?? settings.port)
            notifier.tell(.ready)
        }
        let metricsListener = routes.metricsListener(logger)
        let adminListener = routes.adminListener(logger)
        let listeners: [any Service] = [adminListener, metricsListener, listener].compactMap { $0 }
        return Assembly(
            listener: listener, metricsListener: metricsListener, adminListener: adminListener, routes: routes,
            worker: worker, store: store, notifications: notifications,
            services: store.services + keepers + workers + (certificate.map { [$0] } ?? []) + listeners,
            notifier: notifier)
    }

    /// Serves until SIGTERM or SIGINT, then completes the requests in progress.
    ///
    /// - Parameter endpoints: the addresses that it listens on.
    package func run(at endpoints: [ListenEndpoint], _ logger: Logger) async throws {
        try await ServiceGroup.run(services + [notifier], at: endpoints, logger)
    }
}

extension Assembly {
    /// Lets a command ask the App Store as a server would, and closes the connections afterwards.
    ///
    /// - Parameter needsCatalog: as in ``context(of:handlers:ledger:needsCatalog:logger:)``.
    static func withStore<Result: Sendable>(
        _ settings: Settings, handlers: [any ProductHandler.Type], ledger: any Ledger, needsCatalog: Bool = true,
        logger: Logger, _ body: (any Store, ServingContext) async throws -> Result
    ) async throws -> Result {
        let settings = try await settings.following(ledger)
        let (decisions, time) = try await context(
            of: settings, handlers: handlers, ledger: ledger, needsCatalog: needsCatalog, logger: logger)
        // Opened last of all that can throw, as in `build`.
        let recorder = NotificationRecorder(
            ledger: ledger, decisions: decisions, logger: logger,
            lines: RepeatedLines(clock: decisions.clock, logger: logger), metrics: ServerMetrics())
        let store = try await AppStoreServices.open(
            settings, notifications: recorder, time: time, random: systemRandomBytes)
        let result: Swift.Result<Result, any Error>
        do { result = .success(try await body(store, decisions)) } catch { result = .failure(error) }
        try await store.http.close()
        return try result.get()
    }

    /// The context of a command that decides as a server would, and the simulated App Store's clock; `nil` without it.
    ///
    /// - Parameter needsCatalog: `false` to count a catalog that cannot be read as one without apps.
    /// - Throws: ``/ServerCore/CommandError`` that names the place of a catalog that is needed, and the error in it.
    package static func context(
        of settings: Settings, handlers: [any ProductHandler.Type], ledger: any Ledger, needsCatalog: Bool = true,
        logger: Logger
    ) async throws -> (decisions: ServingContext, time: SimulatorClock?) {
        let settings = try await settings.following(ledger)
        let time = try await settings.simulatorClock(ledger, base: { Date() })
        let clock = { @Sendable in time?.now ?? Date() }
        let content = try await settings.openContent(
            published: PublicationDates.published(in: ledger), at: Date(), clock: { Date() })
        let source = try await settings.catalogSource(ledger, at: clock(), logger)
        let file: CatalogFile
        do {
            file = try await source.load(bundles: content.bundles(), handlers: handlers)
        } catch is CommandError where !needsCatalog { file = .none }
        let live = LiveCatalog(file)
        try await SimulatorMark.check(ledger, isSimulator: settings.simulator)
        return (try ServingContext(settings, live, clock: clock), time)
    }
}

extension Settings {
    /// The settings of a command, which has no `--simulator`: its ledger says whose purchases it holds.
    fileprivate func following(_ ledger: any Ledger) async throws -> Settings {
        var settings = self
        if try await SimulatorMark.isSet(on: ledger) { settings.simulator = true }
        return settings
    }

    /// The simulated App Store's clock, which the server follows, so that a year passes for both; `nil` without the
    /// simulator.
    fileprivate func simulatorClock(
        _ ledger: any Ledger, base: @escaping @Sendable () -> Date
    ) async throws -> SimulatorClock? {
        simulator ? try await SimulatorClock(ledger, base: base) : nil
    }
}
