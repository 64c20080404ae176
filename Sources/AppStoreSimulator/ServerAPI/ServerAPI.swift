import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Logging
import NIOCore

/// The App Store Server API of one environment: `/inApps`.
struct ServerAPI: Sendable {
    typealias Handler = @Sendable (ServerAPICall) async throws -> Response

    /// The size of a page of transactions or notifications.
    static let pageSize = 20

    var notifier: Notifier
    var notifications: NotificationBook
    var keys: APIKeys
    var environment: InAppPurchase.Environment
    var clock: @Sendable () -> Date
    /// The clock of callers that do not use the simulator's time.
    var callersClock: @Sendable () -> Date

    var counter: Counter { notifier.counter }
    var book: PurchaseBook { notifier.counter.book }

    func add(to router: RouterGroup<StoreRequestContext>) {
        let routes: [(HTTPRequest.Method, RouterPath, Handler)] = [
            (.get, "v1/transactions/{id}", transactionInfo),
            (.get, "v1/transactions/appTransactions/{id}", appTransactionInfo),
            (.put, "v1/transactions/{id}/appAccountToken", setAppAccountToken),
            (.post, "v1/transactions/{id}/finish", finish),
            (.put, "v1/transactions/consumption/{id}", { try await consume($0, ConsumptionRules.version1) }),
            (.put, "v2/transactions/consumption/{id}", { try await consume($0, ConsumptionRules.version2) }),
            (.get, "v1/history/{id}", history),
            (.get, "v2/history/{id}", history),
            (.get, "v1/subscriptions/{id}", subscriptionStatuses),
            (.put, "v1/subscriptions/extend/{id}", extendRenewalDate),
            (.post, "v1/subscriptions/extend/mass", extendAllRenewalDates),
            (.get, "v1/subscriptions/extend/mass/{product}/{id}", extensionStatus),
            (.get, "v1/refund/lookup/{id}", refundHistoryVersion1),
            (.get, "v2/refund/lookup/{id}", refundHistory),
            (.get, "v1/lookup/{id}", orderLookUp),
            (.post, "v1/notifications/history", notificationHistory),
            (.post, "v1/notifications/test", requestTestNotification),
            (.get, "v1/notifications/test/{id}", testNotificationStatus),
        ]
        for (method, path, handler) in routes {
            router.on(path, method: method) { request, context in try await answer(request, context, handler) }
        }
    }

    private func answer(
        _ request: Request, _ context: StoreRequestContext, _ handler: Handler
    ) async throws -> Response {
        do {
            guard let token = APIToken(authorization: request.headers[.authorization]),
                let key = try await keys.key(of: token.app),
                [callersClock(), clock()].contains(where: { token.isValid(for: key, at: $0) })
            else { return Response(status: .unauthorized) }
            return try await handler(
                ServerAPICall(app: token.app, date: clock().wholeMilliseconds, request: request, context: context))
        } catch let error as NIOTooManyBytesError {
            throw error
        } catch let problem as SimulatorProblem {
            throw problem
        } catch {
            let error = ServerAPIError(error)
            if error == .internalError {
                context.logger.error("Server API call failed", metadata: ["path": "\(request.uri.path)"])
            }
            return try .json(error, status: error.httpStatus)
        }
    }
}

extension ServerAPI {
    /// The transaction that the path names, if it is of the calling app and this environment.
    ///
    /// - Throws: ``ServerAPIError``, and what the key/value store throws.
    func transaction(
        _ call: ServerAPICall, malformed: ServerAPIError = .transactionID,
        unknown: ServerAPIError = .transactionNotFound
    ) async throws -> ActOutcome {
        guard call.id.isTransactionID else { throw malformed }
        guard let outcome = try await book.outcome(of: call.transactionID) else {
            throw try await book.hasAppTransaction(call.id) ? ServerAPIError.appTransactionID : unknown
        }
        guard isVisible(outcome.purchase, to: call) else { throw unknown }
        return outcome
    }

    /// All purchases of the customer that a transaction ID or app transaction ID names, oldest first.
    func customer(_ id: String, _ call: ServerAPICall) async throws -> [StoredPurchase] {
        guard id.isTransactionID else { throw ServerAPIError.transactionID }
        var all = try await book.purchases(besides: TransactionID(stored: id))
        if all.isEmpty { all = try await book.purchases(ofAppTransaction: id) ?? [] }
        guard let first = all.first, isVisible(first, to: call) else { throw ServerAPIError.transactionNotFound }
        return all
    }

    private func isVisible(_ purchase: StoredPurchase, to call: ServerAPICall) -> Bool {
        purchase.transaction.app == call.app && purchase.transaction.environment == environment
    }

    /// The app's number; `nil` in the sandbox, which leaves it out.
    func appAppleID(_ call: ServerAPICall) async -> Int? {
        environment == .production ? await counter.numbers.number(of: call.app, in: environment) : nil
    }
}

extension String {
    fileprivate var isTransactionID: Bool { isDecimal && utf8.count <= PurchaseBook.identifierLength }
}

/// An authorized call.
struct ServerAPICall: Sendable {
    /// The app whose server calls.
    var app: BundleID
    var date: Date
    var request: Request
    var context: StoreRequestContext

    /// The ID that the path names.
    var id: String { context.parameters.get("id") ?? "" }

    /// The transaction whose ID is in the path.
    var transactionID: TransactionID { TransactionID(stored: id) }

    func query(_ name: String) -> String? { request.uri.queryParameters.get(name) }

    /// All values of a parameter that may be given several times.
    func queries(_ name: String) -> [String] { request.uri.queryParameters.getAll(name) }

    func body<Value: Decodable>(_ type: Value.Type) async throws -> Value {
        try await context.decode(type, from: request)
    }
}
