import AppStore
package import AppStoreSimulator
package import AsyncHTTPClient
import Foundation
import Hummingbird
import InAppPurchase
import Ledger
package import Logging
import NIOSSL
package import ServerCore
package import ServerHTTP
package import ServiceLifecycle
package import StoreClient

/// The App Store as the server uses it: the verifiers of what it signed, and the clients that ask it.
package struct AppStoreServices: Sendable {
    let settings: AppStoreSettings
    let anchors: TrustAnchors
    package let verifier: LocalVerifier
    let verifyReceipt: VerifyReceiptClient
    let api: AppStoreServerClient
    package let keys: StoreKeys
    let queries: AppStoreQueries
    package let reader: NotificationReader
    package let reconciler: Reconciler
    package let consumption: ConsumptionResponder
    let tasks: StoreTaskRunner
    package let signers: KnownSigners
    package let outages = OutageWatch()
    /// Compares this machine's clock with the App Store's; `nil` if it is the simulated App Store's.
    package let clock: StoreClock?
    package let http: HTTPClientService
    package let services: [any Service]
    package let decisions: ServingContext
    package let metrics: ServerMetrics
    package let logger: Logger
    /// The simulated App Store, if there is one.
    package let simulator: AppStoreSimulator?

    /// - Parameters:
    ///   - notifications: records the notifications that were missed and are fetched.
    ///   - time: the simulated App Store's clock; `nil` if Apple's is asked.
    ///   - random: spreads requests that are sent again.
    package static func open(
        _ settings: Settings, notifications: NotificationRecorder, time: SimulatorClock?, random: @escaping RandomBytes
    ) async throws -> AppStoreServices {
        let live = notifications.decisions.live
        let apps = live.current.catalog.apps.map(\.bundleID)
        let anchors = try TrustAnchors.apple().adding(settings.appStore.configuredRoots()).adding(
            settings.appStore.xcodeAnchors(of: apps))
        let keys = try StoreKeys.read(settings.appStore, apps: apps)
        let services: AppStoreServices
        if let time {
            let simulator = try await AppStoreSimulator.open(
                notifications.ledger, appAppleID: { live.current.catalog.app($0)?.appAppleID }, time: time)
            services = try AppStoreServices(settings, anchors, simulator, notifications, random)
        } else {
            services = AppStoreServices(settings.appStore, anchors, keys, notifications, random)
        }
        await services.signers.load()
        return services
    }

    private init(
        _ settings: AppStoreSettings, _ anchors: TrustAnchors, _ keys: StoreKeys, _ notifications: NotificationRecorder,
        _ random: @escaping RandomBytes, services: [any Service] = [], simulator: AppStoreSimulator? = nil
    ) {
        let http = HTTPClientService()
        let outages = outages
        // With a simulated App Store in this process the two are one.
        let clock = simulator == nil ? StoreClock(now: notifications.decisions.clock) : nil
        let signedData = SignedDataVerifier(anchors: anchors, clock: clock)
        let (ledger, decisions, logger) = (notifications.ledger, notifications.decisions, notifications.logger)
        self.settings = settings
        self.anchors = anchors
        self.keys = keys
        self.clock = clock
        self.http = http
        self.simulator = simulator
        self.decisions = decisions
        self.logger = logger
        metrics = notifications.metrics
        verifier = LocalVerifier(
            signedData, anchors: anchors, verifiesAppReceipts: settings.appReceipts == .local, clock: clock)
        verifyReceipt = VerifyReceiptClient(
            http: http.client, endpoints: settings.verifyReceipt,
            breakers: CircuitBreakers("verifyReceipt") { _ in outages.recordEnd() }, clock: clock)
        var api = AppStoreServerClient(
            http: http.client, verifier: signedData, endpoints: settings.serverAPI,
            breakers: CircuitBreakers("Server API") { _ in outages.recordEnd() }, clock: clock)
        api.onRefusedKey = { [metrics = notifications.metrics] time in metrics.keyRefused(took: time) }
        self.api = api
        queries = AppStoreQueries(
            verifier: verifier, verifyReceipt: verifyReceipt, api: api, keys: keys, secret: settings.secrets)
        reader = NotificationReader(verifier: NotificationVerifier(signedData: signedData), secret: settings.secrets)
        reconciler = Reconciler(
            ledger: ledger, decisions: decisions, api: api, keys: keys, reader: reader, notifications: notifications,
            logger: logger)
        consumption = ConsumptionResponder(ledger: ledger, decisions: decisions, api: api, keys: keys, logger: logger)
        tasks = StoreTaskRunner(
            ledger: ledger, decisions: decisions, api: api, keys: keys, random: random, logger: logger)
        signers = KnownSigners(ledger: ledger, verifier: verifier, clock: decisions.clock, logger: logger)
        self.services = [http, signers] + services
    }

    /// Trusts the simulated App Store, and asks it instead of Apple's.
    private init(
        _ settings: Settings, _ anchors: TrustAnchors, _ simulator: AppStoreSimulator,
        _ notifications: NotificationRecorder, _ random: @escaping RandomBytes
    ) throws {
        var appStore = settings.appStore
        let listeningHost = settings.host
        let address = settings.simulatorAddress
        appStore.verifyReceipt = .init(
            production: address + "/production/verifyReceipt", sandbox: address + "/sandbox/verifyReceipt")
        appStore.serverAPI = .init(production: address + "/production", sandbox: address + "/sandbox")
        let roots = try TrustAnchors(
            signedDataRoots: [Data(simulator.rootCertificate)], receiptRoots: [Data(simulator.receiptRootCertificate)])
        self.init(
            appStore, anchors.adding(roots), StoreKeys(of: simulator), notifications, random,
            services: [
                simulator.buildApplication(
                    host: settings.host, port: settings.simulatorPort, names: settings.simulatorHosts,
                    logger: notifications.logger,
                    onServerRunning: { announce("The simulated App Store", at: listeningHost, $0) })
            ], simulator: simulator)
    }

    /// Sets the URL to which the simulated App Store, if there is one, sends its notifications: the server at this
    /// port.
    package func serverListens(_ settings: Settings, port: Int) async {
        await simulator?.setNotificationURL("http://\(settings.ownHost):\(port)\(NotificationRoutes.path(of: self))")
    }

    /// A client of the simulated App Store's own routes.
    ///
    /// - Parameter address: of a simulated App Store elsewhere; `nil` for the server's own.
    /// - Returns: `nil` if there is none.
    package func simulatorClient(_ settings: Settings, at address: String?) -> SimulatorClient? {
        guard let address = address ?? (simulator == nil ? nil : settings.simulatorAddress) else { return nil }
        return SimulatorClient(http: http.client, address: address)
    }
}

extension Settings {
    /// The base URL of the server's own simulated App Store.
    fileprivate var simulatorAddress: String { "http://\(ownHost):\(simulatorPort)" }

    /// The host at which the server reaches itself.
    fileprivate var ownHost: String { host == "0.0.0.0" || host == "::" ? "127.0.0.1" : host }
}

extension StoreKeys {
    /// The keys of the simulated App Store, which has one for every app.
    fileprivate init(of simulator: AppStoreSimulator) {
        self.init { app in
            guard let key = try? await simulator.apiKey(for: app) else { return nil }
            return try? AppStoreServerKey(issuerID: key.issuerID, keyID: key.keyID, bundleID: app, pem: key.privateKey)
        }
    }
}

/// An HTTP client that is shut down with the server.
package struct HTTPClientService: Service {
    /// More than ``/ServerCore/StoreTurns`` and the workers ask at the same time: who has a turn waits for no
    /// connection.
    static let connectionsPerHost = 96

    package let client: HTTPClient

    init() {
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: Self.configuration)
    }

    static var configuration: HTTPClient.Configuration {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        // `verifyReceipt` signs nothing: the connection is all that vouches for its answers.
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.requireForwardSecrecy()
        configuration.tlsConfiguration = tls
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
        return configuration
    }

    package func run() async throws {
        try? await gracefulShutdown()
        try await close()
    }

    package func close() async throws { try await client.shutdown() }
}

extension AppStoreServices {
    func subscriptions(
        of customer: TransactionID, in scope: Scope, within time: Duration, at now: Date
    ) async -> [Transaction] {
        guard scope.environment != .xcode, let key = await keys.key(for: scope.app) else { return [] }
        let call = api.asking(for: key, in: scope.environment, within: time, at: now)
        return (try? await call.subscriptions(of: customer).receipt.transactions) ?? []
    }

    func signedAppTransaction(of purchase: OriginalTransaction.Key, at now: Date) async -> AppTransactionAnswer {
        guard let key = await keys.key(for: purchase.app) else { return .withoutKey }
        let call = api.asking(for: key, in: purchase.environment, within: Self.appTransactionTime, at: now)
        do throws(AppStoreServerError) {
            return .signed(try await call.appTransaction(of: purchase.originalID).content)
        } catch .unavailable {
            return .unavailable
        } catch {
            return .none
        }
    }

    func signature(of offer: SubscriptionOffer, by app: BundleID, at now: Date) async throws -> String? {
        guard let key = await keys.key(for: app) else { return nil }
        switch offer {
        case .promotional(let offer, let product, let subscription):
            return try OfferSignature(
                promotionalOffer: offer, of: product, customerWith: subscription, by: key, nonce: UUID(), at: now
            ).text
        case .introductory(let product, let customer):
            return try OfferSignature(
                introductoryOfferOf: product, customerWith: customer, by: key, nonce: UUID(), at: now
            ).text
        }
    }

    /// The time limit for the question about an app transaction, while support waits.
    private static let appTransactionTime = Duration.seconds(20)
    /// The time limit for the extension and the request after it, while support waits.
    private static let extensionTime = Duration.seconds(20)

    func extendRenewal(
        of subscription: OriginalTransaction.Key, byDays days: Int, requestID: String, at now: Date
    ) async -> ExtensionAnswer {
        guard let key = await keys.key(for: subscription.app) else { return .withoutKey }
        let call = api.asking(for: key, in: subscription.environment, within: Self.extensionTime, at: now)
        let id = subscription.originalID
        do throws(AppStoreServerError) {
            let answer = try await call.extendRenewalDate(
                of: id, byDays: days, for: .customerSatisfaction, requestID: requestID)
            guard answer.isExtended, let date = answer.effectiveDate else { return .refused("not extended") }
            // The notification of the extension may come later, or never.
            return .extended(until: date, try? await call.subscriptions(of: id).receipt)
        } catch {
            return ExtensionAnswer(error)
        }
    }

    func extendRenewals(_ asked: SubscriberExtension, at now: Date) async -> ExtensionAnswer? {
        guard let key = await keys.key(for: asked.app) else { return .withoutKey }
        let call = api.asking(for: key, in: asked.environment, within: Self.extensionTime, at: now)
        do throws(AppStoreServerError) {
            try await call.extendRenewalDates(
                ofAllSubscribersOf: asked.product, byDays: asked.days, for: .serviceIssue, requestID: asked.request)
            return nil
        } catch {
            return ExtensionAnswer(error)
        }
    }

    func progress(of asked: SubscriberExtension, at now: Date) async -> SubscriberExtension.Progress? {
        guard let key = await keys.key(for: asked.app) else { return nil }
        let call = api.asking(for: key, in: asked.environment, within: Self.extensionTime, at: now)
        guard let status = try? await call.subscriberExtension(asked.request, of: asked.product) else { return nil }
        return SubscriberExtension.Progress(
            isComplete: status.isComplete, completedAt: status.completionDate, extended: status.succeeded,
            failed: status.failed)
    }
}

extension ExtensionAnswer {
    fileprivate init(_ error: AppStoreServerError) {
        switch error {
        case .notFound: self = .unknown
        case .refused(let code):
            self = .refused(["\(code.rawValue)", code.name].compactMap { $0 }.joined(separator: " "))
        case .unavailable: self = .unavailable
        }
    }
}
