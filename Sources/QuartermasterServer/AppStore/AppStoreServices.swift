import AppStore
import AppStoreSimulator
import AsyncHTTPClient
import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import Logging
import NIOCore
import ServiceLifecycle
import StoreClient

/// The verifiers of what the App Store signed, and the clients that ask it.
struct AppStoreServices {
    let anchors: TrustAnchors
    let verifier: LocalVerifier
    let verifyReceipt: VerifyReceiptClient
    let api: AppStoreServerClient
    let keys: StoreKeys
    let outages = OutageWatch()
    let http: HTTPClientService
    let services: [any Service]
    /// The simulated App Store, if there is one.
    let simulator: AppStoreSimulator?

    /// - Parameter time: the simulated App Store's clock; `nil` if Apple's is asked.
    static func open(
        _ settings: Settings, _ ledger: any Ledger, _ live: LiveCatalog, time: SimulatorClock?, logger: Logger
    ) async throws -> AppStoreServices {
        let apps = live.current.catalog.apps.map(\.bundleID)
        let anchors = try TrustAnchors.apple().adding(settings.appStore.configuredRoots()).adding(
            settings.appStore.xcodeAnchors(of: apps))
        let keys = try StoreKeys.read(settings.appStore, apps: apps)
        guard let time else { return AppStoreServices(settings.appStore, anchors, keys) }
        let simulator = try await AppStoreSimulator.open(
            ledger, appAppleID: { live.current.catalog.app($0)?.appAppleID }, time: time)
        return try AppStoreServices(settings, anchors, simulator, logger)
    }

    private init(
        _ settings: AppStoreSettings, _ anchors: TrustAnchors, _ keys: StoreKeys, services: [any Service] = [],
        simulator: AppStoreSimulator? = nil
    ) {
        let http = HTTPClientService()
        let outages = outages
        let signedData = SignedDataVerifier(anchors: anchors)
        self.anchors = anchors
        self.keys = keys
        self.http = http
        self.simulator = simulator
        verifier = LocalVerifier(
            signedData, anchors: anchors, judgesAppReceipts: settings.appReceipts == .local)
        verifyReceipt = VerifyReceiptClient(
            http: http.client, endpoints: settings.verifyReceipt,
            breakers: CircuitBreakers("verifyReceipt") { _ in outages.recordEnd() })
        api = AppStoreServerClient(
            http: http.client, verifier: signedData, endpoints: settings.serverAPI,
            breakers: CircuitBreakers("Server API") { _ in outages.recordEnd() })
        self.services = [http] + services
    }

    /// Trusts the simulated App Store, and asks it instead of Apple's.
    private init(
        _ settings: Settings, _ anchors: TrustAnchors, _ simulator: AppStoreSimulator, _ logger: Logger
    ) throws {
        var appStore = settings.appStore
        let listeningHost = settings.host
        let address = "http://\(settings.ownHost):\(settings.simulatorPort)"
        appStore.verifyReceipt = .init(
            production: address + "/production/verifyReceipt", sandbox: address + "/sandbox/verifyReceipt")
        appStore.serverAPI = .init(production: address + "/production", sandbox: address + "/sandbox")
        let roots = try TrustAnchors(
            signedDataRoots: [Data(simulator.rootCertificate)],
            receiptRoots: [Data(simulator.receiptRootCertificate)])
        self.init(
            appStore, anchors.adding(roots), StoreKeys(of: simulator),
            services: [
                simulator.buildApplication(
                    host: settings.host, port: settings.simulatorPort, names: settings.simulatorHosts, logger: logger,
                    onServerRunning: { announce("The simulated App Store", at: listeningHost, $0) })
            ], simulator: simulator)
    }

    /// Sets the URL to which the simulated App Store, if there is one, sends its notifications: the server at this
    /// port.
    func serverListens(_ settings: Settings, port: Int) async {
        await simulator?.setNotificationURL("http://\(settings.ownHost):\(port)/v1/notifications/app-store")
    }

    /// The queries about pending receipts.
    func questions(_ settings: Settings) -> AppStoreQueries {
        AppStoreQueries(
            verifier: verifier, verifyReceipt: verifyReceipt, api: api, keys: keys, secret: settings.appStore.secrets)
    }
}

/// An HTTP client that is shut down with the server.
struct HTTPClientService: Service {
    let client: HTTPClient

    init() {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    func run() async throws {
        try? await gracefulShutdown()
        try await close()
    }

    func close() async throws { try await client.shutdown() }
}

extension Settings {
    /// The host at which the server reaches itself.
    fileprivate var ownHost: String { host == "0.0.0.0" || host == "::" ? "127.0.0.1" : host }
}

extension StoreKeys {
    /// The keys of the simulated App Store, which has one for every app.
    fileprivate init(of simulator: AppStoreSimulator) {
        self.init { app in
            guard let key = try? await simulator.apiKey(for: app) else { return nil }
            return try? AppStoreServerKey(
                issuerID: key.issuerID, keyID: key.keyID, bundleID: app, pem: key.privateKey)
        }
    }
}
