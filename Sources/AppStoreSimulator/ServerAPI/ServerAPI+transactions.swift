import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

private struct TransactionInfoResponse: Encodable {
    var signedTransactionInfo: String
}

private struct AppTransactionInfoResponse: Encodable {
    var signedAppTransactionInfo: String
}

private struct OrderLookupResponse: Encodable {
    var status: Int
    var signedTransactions: [String]?
}

private struct AccountTokenRequest: Decodable {
    var appAccountToken: String
}

/// Single transactions (Apple, "Get Transaction Info" and related endpoints).
extension ServerAPI {
    @Sendable func transactionInfo(_ call: ServerAPICall) async throws -> Response {
        let purchase = try await transaction(call).purchase
        return try .json(
            TransactionInfoResponse(signedTransactionInfo: counter.signedTransaction(purchase, at: call.date)))
    }

    @Sendable func appTransactionInfo(_ call: ServerAPICall) async throws -> Response {
        let customer = try await customer(call.id, call).first?.customer
        guard let customer else { throw ServerAPIError.appTransactionNotFound }
        let payload = SignedAppTransaction(customer, appAppleID: await appAppleID(call), signedDate: call.date)
        return try .json(AppTransactionInfoResponse(signedAppTransactionInfo: counter.signedDataKey.sign(payload)))
    }

    /// Sets the account token of the current transaction of an original transaction, and with it of later renewals.
    @Sendable func setAppAccountToken(_ call: ServerAPICall) async throws -> Response {
        let text = try await call.body(AccountTokenRequest.self).appAccountToken
        guard let token = UUID(uuidString: text) else { throw ServerAPIError.accountToken }
        let named = try await transaction(call)
        let transaction = named.purchase.transaction
        guard transaction.id == transaction.originalID else { throw ServerAPIError.notOriginal }
        guard transaction.ownershipType == .purchased else { throw ServerAPIError.familyTransaction }
        _ = try await book.change(named.newest.transaction.id) { $0.transaction.appAccountToken = token }
        return Response(status: .ok)
    }

    /// Marks a transaction as finished. Idempotent.
    @Sendable func finish(_ call: ServerAPICall) async throws -> Response {
        let purchase = try await transaction(call).purchase
        if !purchase.isFinished {
            _ = try await book.change(purchase.transaction.id) { $0.isFinished = true }
        }
        return Response(status: .ok)
    }

    /// Looks up an order. Only production has orders.
    @Sendable func orderLookUp(_ call: ServerAPICall) async throws -> Response {
        guard environment == .production else { throw SimulatorProblem.notFound("There are no orders in the sandbox.") }
        let id = StoredPurchase.transactionID(ofOrder: call.id) ?? TransactionID(stored: "")
        guard let purchase = try await book.purchase(id), purchase.transaction.app == call.app,
            purchase.transaction.environment == environment
        else { return try .json(OrderLookupResponse(status: 1)) }
        return try .json(
            OrderLookupResponse(status: 0, signedTransactions: [counter.signedTransaction(purchase, at: call.date)]))
    }
}

extension StoredPurchase {
    private static let orderPrefix = "MS"

    /// The order number in the customer's e-mail; `nil` in the sandbox, which has none.
    var orderID: String? { transaction.environment == .production ? Self.orderPrefix + transaction.id.text : nil }

    fileprivate static func transactionID(ofOrder id: String) -> TransactionID? {
        id.hasPrefix(orderPrefix) ? TransactionID(stored: String(id.dropFirst(orderPrefix.count))) : nil
    }
}

/// The payload of a signed app transaction (Apple, AppTransaction) in the Server API's form, without a device. Dates
/// are milliseconds since 1970.
struct SignedAppTransaction: Encodable {
    var receiptType: String
    var appAppleId: Int?
    var bundleId: String
    var applicationVersion = SimulatorAppReceipt.applicationVersion
    var originalApplicationVersion = SimulatorAppReceipt.applicationVersion
    var receiptCreationDate: Int
    var originalPurchaseDate = SimulatorAppReceipt.originalPurchaseDate.milliseconds
    var appTransactionId: String
    var originalPlatform = "iOS"

    init(_ customer: Customer, appAppleID: Int?, signedDate: Date) {
        receiptType = customer.environment.rawValue
        bundleId = customer.app.text
        appAppleId = appAppleID
        receiptCreationDate = signedDate.milliseconds
        appTransactionId = customer.appTransactionID
    }
}
