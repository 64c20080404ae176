package import Basics
package import Foundation
package import Hummingbird
import HummingbirdCore
package import InAppPurchase
package import Logging
package import NIOCore

/// An App Store to develop and test against: takes orders without money, signs what the App Store signs, and answers
/// `verifyReceipt`.
///
/// It signs with keys and roots of its own, which no server trusts unless it is told to. Keys and purchases live in a
/// ``KeyValueStore``, so they survive a restart, and several processes may share them. Two processes that act on the
/// same transaction at the same instant may undo each other's act; purchases are never lost.
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

    /// Opens the store that `store` holds; makes its keys where there are none yet.
    ///
    /// - Parameters:
    ///   - store: where keys and purchases are kept.
    ///   - appAppleID: the number of an app in the App Store, which its production receipts name; nil leaves it out.
    ///   - clock: what time it is; the store adds the offset that is set at `/simulator/v1/clock`.
    /// - Throws: what `store` throws, and an error where what it holds are no keys.
    package static func open(
        _ store: any KeyValueStore, appAppleID: @escaping @Sendable (BundleID) async -> Int? = { _ in nil },
        clock: @escaping @Sendable () -> Date
    ) async throws -> AppStoreSimulator {
        try await open(store, appAppleID: appAppleID, time: try await SimulatorClock(store, base: clock))
    }

    /// The same for callers that follow the store's time.
    ///
    /// - Parameter time: the store's; it is read by the caller, and set at `/simulator/v1/clock`.
    package static func open(
        _ store: any KeyValueStore, appAppleID: @escaping @Sendable (BundleID) async -> Int?, time: SimulatorClock
    ) async throws -> AppStoreSimulator {
        try await open(store, appAppleID: appAppleID, draw: { Int.random(in: IdentifierSource.range) }, time: time)
    }

    /// - Parameter draw: a number of ``IdentifierSource/range``, at random.
    static func open(
        _ store: any KeyValueStore, appAppleID: @escaping @Sendable (BundleID) async -> Int?,
        draw: @escaping @Sendable () -> Int, time: SimulatorClock
    ) async throws -> AppStoreSimulator {
        let date = time.base()
        let counter = Counter(
            book: PurchaseBook(store: store, draw: draw),
            signedDataKey: try await SignedDataKey.establish(in: store, at: date),
            receiptKey: try await ReceiptKey.establish(in: store, at: date),
            numbers: AppNumbers(lookUp: appAppleID))
        let notifications = NotificationBook(store: store)
        return AppStoreSimulator(
            counter: counter, keys: APIKeys(store: store), addresses: NotificationAddresses(store: store),
            notifications: notifications, outbox: try await Outbox(notifications), time: time)
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

    /// The key that the app's server calls the App Store Server API with; made at first use, and then the same.
    ///
    /// - Throws: what the key/value store throws.
    package func apiKey(for app: BundleID) async throws -> APIKey { try await keys.establish(for: app) }

    /// Where notifications go for apps without a `notification-url` of their own; nil: nowhere. Not kept with the
    /// purchases. The second time replaces the first.
    ///
    /// - Parameters:
    ///   - url: `http` or `https`; anything else is as nil.
    ///   - version: 1 or 2, as in App Store Connect.
    ///   - password: the apps' shared secret, which version 1 carries.
    package func setNotificationURL(_ url: String?, version: Int = 2, password: String? = nil) async {
        await addresses.setStandard(
            url.flatMap { NotificationAddress(url: $0, version: version, password: password) })
    }

    /// The server at `host` and `port`, which also sends the notifications while it runs: a service to run, or to test
    /// through its router. Port 0 takes any free one; `onServerRunning` is given the listening channel.
    ///
    /// - Parameter names: what it may be called by besides `host`, loopback and the addresses of this machine; requests
    ///   with another `Host`, and with the `Origin` of another site, are answered 403.
    package func buildApplication(
        host: String, port: Int, names: Set<String> = [], logger: Logger,
        onServerRunning: @escaping @Sendable (any Channel) async -> Void = { _ in }
    ) -> some ApplicationProtocol {
        Application(
            // An address that stands for all of the machine's is no name of one.
            router: router(OwnHosts(["0.0.0.0", "::"].contains(host) ? names : names.union([host]))),
            server: .http1(configuration: .init(idleTimeout: Limits.idleTime)),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                availableConnectionsDelegate: MaximumAvailableConnections(Limits.connections)),
            services: [NotificationSender(outbox: outbox, book: notifications, clock: clock, logger: logger)],
            onServerRunning: onServerRunning, logger: logger)
    }

    private func router(_ hosts: OwnHosts) -> Router<StoreRequestContext> {
        let router = Router(context: StoreRequestContext.self)
        router.add(middleware: ProblemMiddleware())
        router.add(middleware: CallerMiddleware(hosts: hosts))
        let notifier = Notifier(counter: counter, addresses: addresses, outbox: outbox)
        let own = router.group("simulator/v1")
        SimulatorRoutes(
            acts: Acts(counter: counter, notifier: notifier, clock: clock), keys: keys, faults: faults,
            rootCertificate: rootCertificate, receiptRootCertificate: receiptRootCertificate
        ).add(to: own)
        NotificationRoutes(addresses: addresses, outbox: outbox).add(to: own)
        ClockRoutes(clock: time, outbox: outbox).add(to: own)
        let verifyReceipt = VerifyReceipt(counter: counter)
        let environments: [(RouterPath, InAppPurchase.Environment)] = [
            ("production", .production), ("sandbox", .sandbox),
        ]
        for (path, environment) in environments {
            let group = router.group(path).add(middleware: FaultMiddleware(faults: faults, callersClock: time.base))
            StoreRoutes(verifyReceipt: verifyReceipt, environment: environment, clock: clock).add(to: group)
            ServerAPI(
                notifier: notifier, notifications: notifications, keys: keys, environment: environment, clock: clock,
                callersClock: time.base
            ).add(to: group.group("inApps"))
        }
        return router
    }
}
