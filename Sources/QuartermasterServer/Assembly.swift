import AppStore
import AppStoreSimulator
import AsyncHTTPClient
import Content
import Foundation
import Hummingbird
import InAppPurchase
import Logging
import NIOCore
import ServiceLifecycle

/// A server put together and not running yet.
struct Assembly {
    let application: Application<RouterResponder<ServerContext>>
    let routes: Routes
    let worker: RetryWorker
    /// In the order of their dependence; ``application`` comes last.
    let services: [any Service]

    /// Puts a server together from its settings. Tests call it as the command line does.
    ///
    /// - Throws: an error whose description is one line for the operator.
    static func build(
        _ settings: Settings, handlers: [any ProductHandler.Type], ledger: any Ledger,
        clock: @escaping @Sendable () -> Date, random: @escaping RandomBytes, logger: Logger,
        metrics: ServerMetrics = ServerMetrics()
    ) async throws -> Assembly {
        let content = try await FolderContentStore.open(settings.content, at: clock())
        let live = LiveCatalog(
            try CatalogFile.load(settings.products, bundles: content.bundles(), handlers: handlers))
        live.current.catalog.warn(logger)
        let decisions = Decisions(live: live, testers: settings.testers, clock: clock)
        try await SimulatorMark.check(ledger, isSimulator: settings.simulator)
        _ = try await ledger.bindTerms(in: decisions.context)
        let store = try await StoreAccess.open(settings, ledger, live, clock: clock, logger: logger)
        let intake = ReceiptIntake(
            ledger: ledger, decisions: decisions, verifier: store.verifier, store: store.client,
            secret: settings.secrets, random: random, logger: logger, metrics: metrics)
        let worker = RetryWorker(intake: intake, ledger: ledger, clock: clock, logger: logger)
        let (uptake, trail) = (CatalogUptake(decisions, ledger, logger), CatalogTrail(ledger: ledger))
        let watcher = CatalogWatcher(
            path: settings.products, handlers: handlers, uptake: uptake, content: content, trail: trail,
            metrics: metrics)
        let editor = CatalogEditor(
            path: settings.products, handlers: handlers, bundles: content.bundles, trail: trail,
            effect: .serve(uptake))
        let grants = try await GrantKeyring(ledger, random: random, clock: clock, logger: logger)
        let sealer = try await AuditSealer(ledger, random: random, clock: clock, logger: logger)
        let routes = Routes(
            ledger: ledger, decisions: decisions, intake: intake, content: content, grants: grants, editor: editor,
            auditKeys: sealer.keys, random: random, trustsForwardedFor: settings.trustsForwardedFor, metrics: metrics)
        metrics.start(at: clock())
        let application = routes.application(host: settings.host, port: settings.port, logger: logger)
        return Assembly(
            application: application, routes: routes, worker: worker,
            services: store.services + [sealer, grants, watcher, worker, application])
    }

    /// Serves until SIGTERM or SIGINT, then finishes what it is answering.
    func run(_ logger: Logger) async throws { try await ServiceGroup.run(services, logger) }
}

/// What receipts are judged with.
struct StoreAccess {
    let verifier: LocalVerifier
    let client: VerifyReceiptClient
    let services: [any Service]

    static func open(
        _ settings: Settings, _ ledger: any Ledger, _ live: LiveCatalog, clock: @escaping @Sendable () -> Date,
        logger: Logger
    ) async throws -> StoreAccess {
        var anchors = try TrustAnchors.apple().adding(settings.configuredRoots())
        var endpoints = settings.verifyReceipt
        var services: [any Service] = []
        if settings.simulator {
            let simulator = try await AppStoreSimulator.open(
                ledger, appAppleID: { live.current.catalog.app($0)?.appAppleID }, clock: clock)
            anchors = anchors.adding(
                try TrustAnchors(
                    signedDataRoots: [Data(simulator.rootCertificate)],
                    receiptRoots: [Data(simulator.receiptRootCertificate)]))
            let isEverywhere = settings.host == "0.0.0.0" || settings.host == "::"
            let address = "http://\(isEverywhere ? "127.0.0.1" : settings.host):\(settings.simulatorPort)"
            endpoints = .init(
                production: address + "/production/verifyReceipt", sandbox: address + "/sandbox/verifyReceipt")
            services.append(
                simulator.buildApplication(
                    host: settings.host, port: settings.simulatorPort, logger: logger,
                    onServerRunning: { announce("The simulated App Store", at: settings.host, $0) }))
        }
        let http = HTTPClientService()
        return StoreAccess(
            verifier: LocalVerifier(anchors: anchors, judgesAppReceipts: settings.appReceipts == .local),
            client: VerifyReceiptClient(http: http.client, endpoints: endpoints), services: [http] + services)
    }
}

/// The HTTP client with a lifetime.
struct HTTPClientService: Service {
    let client: HTTPClient

    init() {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func run() async throws {
        try? await gracefulShutdown()
        try await client.shutdown()
    }
}

extension Settings {
    /// - Throws: ``SettingMistake`` that names the file.
    fileprivate func configuredRoots() throws -> TrustAnchors {
        let certificates = try roots.map { path in
            do {
                return try Data(contentsOf: URL(filePath: path))
            } catch {
                throw SettingMistake("rootCertificates: \(path) cannot be read")
            }
        }
        return try zip(roots, certificates).reduce(TrustAnchors(signedDataRoots: [], receiptRoots: [])) {
            anchors, file in
            do {
                return anchors.adding(try TrustAnchors(signedDataRoots: [file.1], receiptRoots: [file.1]))
            } catch {
                throw SettingMistake("rootCertificates: \(file.0) is no certificate in DER")
            }
        }
    }
}
