package import Basics
import CDescriptions
package import Foundation
package import Hummingbird
import HummingbirdCore
package import InAppPurchase
package import Logging
package import NIOCore

/// An App Store for development and tests: sells without money, signs what the App Store signs, and serves
/// `verifyReceipt` and the App Store Server API.
///
/// It signs with keys and roots of its own, which no server trusts unless it is configured to. Keys and purchases are
/// stored in a ``/Basics/KeyValueStore``, so they survive a restart, and several processes may share them. Two
/// processes that change the same transaction at the same time may overwrite each other's change; purchases are never
/// lost. An event that happens by itself happens in each process that knows of it, to the same transaction, and each
/// may notify of it.
package struct AppStoreSimulator: Sendable {
    /// The root of signed transactions (ECDSA P-384), in DER.
    package let rootCertificate: [UInt8]
    /// The root of app receipts and transaction receipts (RSA 2048), in DER.
    package let receiptRootCertificate: [UInt8]

    private let counter: Counter
    private let keys: APIKeys
    private let addresses: NotificationAddresses
    private let notifications: NotificationBook
    private let outbox: Outbox
    private let faults = FaultBoard()
    private let time: SimulatorClock

    private var clock: @Sendable () -> Date { { [time] in time.now } }

    /// Opens the simulator with the state in `store`; creates its keys if there are none yet.
    ///
    /// - Parameters:
    ///   - store: the storage of keys and purchases.
    ///   - appAppleID: the number of an app in the App Store, which its production receipts name; `nil` leaves it out.
    ///   - clock: the present time; the offset set at `/simulator/v1/clock` is added to it.
    /// - Throws: what `store` throws, and an error if the stored keys cannot be read.
    package static func open(
        _ store: any KeyValueStore, appAppleID: @escaping @Sendable (BundleID) async -> Int? = { _ in nil },
        clock: @escaping @Sendable () -> Date
    ) async throws -> AppStoreSimulator {
        try await open(store, appAppleID: appAppleID, time: try await SimulatorClock(store, base: clock))
    }

    /// The same for callers that use the simulator's time.
    ///
    /// - Parameter time: the simulator's clock; the caller reads it, and it is set at `/simulator/v1/clock`.
    package static func open(
        _ store: any KeyValueStore, appAppleID: @escaping @Sendable (BundleID) async -> Int?, time: SimulatorClock
    ) async throws -> AppStoreSimulator {
        try await open(store, appAppleID: appAppleID, draw: { Int.random(in: IdentifierSource.range) }, time: time)
    }

    /// - Parameters:
    ///   - draw: a random number of ``IdentifierSource/range``.
    ///   - notifications: the maximum number of notifications that are kept.
    static func open(
        _ store: any KeyValueStore, appAppleID: @escaping @Sendable (BundleID) async -> Int?,
        draw: @escaping @Sendable () -> Int, notifications length: Int = Outbox.length, time: SimulatorClock
    ) async throws -> AppStoreSimulator {
        let date = time.base()
        let counter = Counter(
            book: PurchaseBook(store: store, draw: draw),
            signedDataKey: try await SignedDataKey.establish(in: store, at: date),
            receiptKey: try await ReceiptKey.establish(in: store, at: date), numbers: AppNumbers(lookUp: appAppleID))
        try await counter.book.readAgenda()
        let notifications = NotificationBook(store: store)
        return AppStoreSimulator(
            counter: counter, keys: APIKeys(store: store), addresses: NotificationAddresses(store: store),
            notifications: notifications, outbox: try await Outbox(notifications, length: length), time: time)
    }

    private init(
        counter: Counter, keys: APIKeys, addresses: NotificationAddresses, notifications: NotificationBook,
        outbox: Outbox, time: SimulatorClock
    ) {
        self.counter = counter
        self.keys = keys
        self.time = time
        self.addresses = addresses
        self.notifications = notifications
        self.outbox = outbox
        rootCertificate = counter.signedDataKey.rootCertificate
        receiptRootCertificate = counter.receiptKey.certificates.last.map { [UInt8]($0) } ?? []
    }

    /// The app's key for the App Store Server API; created at first use, and then the same.
    ///
    /// - Throws: what the key/value store throws.
    package func apiKey(for app: BundleID) async throws -> APIKey { try await keys.establish(for: app) }

    /// Sets the default notification URL, for apps without a `notification-url` of their own; `nil` sends none. Not
    /// stored with the purchases. A second call replaces the first.
    ///
    /// - Parameters:
    ///   - url: `http` or `https`; anything else counts as `nil`.
    ///   - version: 1 or 2, as in App Store Connect.
    ///   - password: the apps' shared secret, which version 1 contains.
    package func setNotificationURL(_ url: String?, version: Int = 2, password: String? = nil) async {
        await addresses.setStandard(url.flatMap { NotificationAddress(url: $0, version: version, password: password) })
    }

    /// The HTTP server at `host` and `port`, which also sends the notifications while it runs: a service to run, or to
    /// test through its router. Port 0 takes any free one; `onServerRunning` is passed the listening channel.
    ///
    /// - Parameter names: accepted host names besides `host`, loopback and the addresses of this machine; requests with
    ///   another `Host`, and with the `Origin` of another site, are refused with 403.
    package func buildApplication(
        host: String, port: Int, names: Set<String> = [], logger: Logger,
        onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        let timeline = timeline(logger)
        let clock = clock
        return Application(
            // An address that stands for all addresses of the machine is not the name of one.
            router: router(timeline, OwnHosts(["0.0.0.0", "::"].contains(host) ? names : names.union([host]))),
            server: .http1(
                configuration: .init(
                    additionalChannelHandlers: [StoreDateHandler(clock: clock)],
                    idleTimeout: SimulatorLimits.idleTime)),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(SimulatorLimits.connections)),
            services: [
                NotificationSender(outbox: outbox, book: notifications, clock: clock, logger: logger),
                TimelineService(timeline: timeline, clock: clock, logger: logger),
            ], onServerRunning: onServerRunning, logger: logger)
    }

    func timeline(_ logger: Logger) -> Timeline {
        let notifier = Notifier(counter: counter, addresses: addresses, outbox: outbox)
        return Timeline(performer: Performer(book: counter.book, notifier: notifier), logger: logger)
    }

    func router(_ timeline: Timeline, _ hosts: OwnHosts) -> Router<StoreRequestContext> {
        let router = Router(context: StoreRequestContext.self)
        let methods = RouteMethods()
        router.add(middleware: SimulatorProblemMiddleware(methods: methods))
        router.add(middleware: CallerMiddleware(hosts: hosts))
        router.add(middleware: TimelineMiddleware(timeline: timeline, clock: clock))
        router.get("simulator/openapi.yaml") { _, _ in
            var count: UInt = 0
            let bytes = UnsafeBufferPointer(start: simulatorDescription(&count), count: Int(clamping: count))
            return Response(
                status: .ok, headers: [.contentType: "application/yaml"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
        }
        let own = router.group("simulator/v1")
        SimulatorRoutes(
            acts: Acts(performer: timeline.performer, counter: counter, clock: clock), keys: keys, faults: faults,
            callersClock: time.base, rootCertificate: rootCertificate, receiptRootCertificate: receiptRootCertificate
        ).add(to: own)
        SimulatorNotificationRoutes(addresses: addresses, outbox: outbox).add(to: own)
        ClockRoutes(clock: time, timeline: timeline, outbox: outbox).add(to: own)
        let verifyReceipt = VerifyReceipt(counter: counter)
        let environments: [(RouterPath, InAppPurchase.Environment)] = [
            ("production", .production), ("sandbox", .sandbox),
        ]
        for (path, environment) in environments {
            let group = router.group(path).add(middleware: FaultMiddleware(faults: faults, callersClock: time.base))
            StoreRoutes(verifyReceipt: verifyReceipt, environment: environment, clock: clock).add(to: group)
            ServerAPI(
                notifier: timeline.performer.notifier, notifications: notifications, keys: keys,
                environment: environment, clock: clock, callersClock: time.base
            ).add(to: group.group("inApps"))
        }
        methods.declare(router.routes.map { (template: $0.path.description, method: $0.method.rawValue) })
        return router
    }
}
