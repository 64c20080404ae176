import AppStore
import Foundation
import InAppPurchase
import Ledger
import Logging
import NIOCore
import NIOFoundationCompat
import ServerCore
import ServerHTTP
import StoreClient
import StrictJSON

extension AppStoreServices: Store {
    var name: String { "App Store" }

    var notificationName: String { "app-store" }

    func notificationLimits(fromForger: Bool) -> BodyLimits { fromForger ? .signedNotification : .notification }

    func readNotification(_ body: ByteBuffer, in context: RecordingContext) async throws -> ReadNotification {
        let notification: NotificationBody
        do {
            notification = try await LargeBodies.shared.run(bytes: body.readableBytes) {
                try NotificationBody(Data(buffer: body))
            }
        } catch let error as JSONError {
            throw NotificationRejection(rejection: ReceiptRejection(.malformed, error.description), version: 1)
        }
        return try await reader.read(notification, in: context)
    }

    func facts(in item: BackfillPage.Item, in context: RecordingContext) async throws -> VerifiedReceipt? {
        do {
            switch item {
            case .receipt(let receipt, _):
                guard receipt.kind == .signedTransaction || receipt.kind == .appReceipt else { return nil }
                return try await afterSigning(in: context) {
                    try await verify(receipt, for: SendingDevice(), in: $0).get()
                }
            case .notification(let notification, _):
                return try await afterSigning(in: context) {
                    try await reader.read(signedPayload: notification.content, in: $0).notification.facts
                }
            }
        } catch is ReceiptRejection {
            return nil
        } catch is NotificationRejection {
            return nil
        }
    }

    /// Reads bytes that may have been stored while this machine's clock was behind the date of their signing.
    private func afterSigning<Value>(
        in context: RecordingContext, _ read: (RecordingContext) async throws -> Value
    ) async throws -> Value {
        do {
            return try await read(context)
        } catch let error as VerificationUnavailable {
            guard let date = error.clockTrouble?.retryDate else { throw error }
            var later = context
            later.date = date
            return try await read(later)
        }
    }

    /// Apple's order IDs are in capitals; people type them in any case.
    func canonicalOrder(_ text: String) -> String { text.uppercased() }

    func transactions(ofOrder order: String, of apps: [BundleID], at now: Date) async -> OrderAnswer {
        await OrderLookup(api: api, keys: keys).answer(to: order, of: apps, at: now)
    }

    func condition(of apps: [BundleID]) async -> StoreCondition {
        let interfaces = [("verifyReceipt", verifyReceipt.breakers), ("Server API", api.breakers)].flatMap {
            name, breakers in
            [Environment.production, .sandbox].map {
                StoreCondition.Interface(name: name, environment: $0, outage: breakers[$0].state.outage)
            }
        }
        var withKey: Set<BundleID> = []
        for app in apps where await keys.key(for: app) != nil { withKey.insert(app) }
        var condition = StoreCondition(interfaces: interfaces, appsWithKey: withKey)
        condition.refusedKeys = api.refusedKeys.apps
        (condition.clockDelay, condition.clockLead) = (clock?.delay ?? 0, clock?.lead ?? 0)
        condition.setup = await setup
        return condition
    }

    func reconcile(since: Date?) async throws -> ReconciliationFindings { try await reconciler.reconcile(since: since) }

    func actAfterDelivery() async {
        async let answered: Void = consumption.answerDueRequests()
        await tasks.runDueTasks()
        await answered
    }

    func message(about trouble: Unavailability) -> Logger.Message {
        switch trouble.cause {
        case .misconfigured where trouble.credential == .serverAPIKey:
            "the App Store refuses the app's key for the Server API; receipts wait until it is right"
        case .misconfigured: "the App Store refuses the app's shared secret; receipts wait until it is right"
        case .badRequest:
            "the App Store calls a request of this server wrong; the receipt is asked about again, a few times"
        case .clock: "this machine's clock is behind the App Store's; receipts wait until it is right"
        case .notFound: "the App Store does not know a transaction ID yet"
        case .temporary, .ambiguous: "the App Store cannot verify a receipt now"
        }
    }
}

/// Asks the App Store for the transactions of an order, by the number in the customer's e-mail.
struct OrderLookup: Sendable {
    /// The maximum number of apps that are asked, one after another; the App Store takes ten requests a second of each.
    static let maximumApps = 10
    /// The time limit for all of them, while support waits.
    static let time = Duration.seconds(20)

    let api: AppStoreServerClient
    let keys: StoreKeys

    /// - Parameter apps: asked in this order, those with a key only.
    func answer(to order: String, of apps: [BundleID], at now: Date) async -> OrderAnswer {
        let deadline = ContinuousClock.now + Self.time
        var (asked, silent) = (0, 0)
        for app in apps {
            guard let key = await keys.key(for: app) else { continue }
            guard asked < Self.maximumApps else { break }
            asked += 1
            let call = api.asking(for: key, in: .production, within: deadline - .now, at: now)
            do throws(AppStoreServerError) { return .found(try await call.order(order).receipt) } catch .unavailable {
                silent += 1
            } catch {
                continue
            }
        }
        if asked == 0 { return .withoutKey }
        return silent == 0 ? .unknown : .unavailable
    }
}
