import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore

/// What the customer and the store's staff would do: `/simulator/v1`.
struct SimulatorRoutes: Sendable {
    struct PurchaseAnswer: Encodable {
        var transactionID: TransactionID
        var originalTransactionID: TransactionID
        var signedTransaction: String
        var signedRenewalInfo: String?
        var appReceipt: String?
        var transactionReceipt: String?
    }

    struct UpgradeRequest: Decodable {
        var productID: ProductID
    }

    var counter: Counter
    var faults: FaultBoard
    /// DER.
    var rootCertificate: [UInt8]
    var receiptRootCertificate: [UInt8]
    var clock: @Sendable () -> Date

    func add(to router: RouterGroup<StoreRequestContext>) {
        router.post("purchases", use: purchase)
        router.post("transactions/{id}/refund", use: refund)
        let acts: [(String, SubscriptionAct)] = [
            ("renew", .renew), ("expire", .expire), ("grace", .grace), ("billing-retry", .billingRetry),
            ("revoke", .revoke),
        ]
        for (path, act) in acts {
            router.post("subscriptions/{id}/\(path)") { _, context in try await perform(act, context) }
        }
        router.post("subscriptions/{id}/upgrade") { request, context in
            let upgrade = try await decode(UpgradeRequest.self, request, context)
            guard let product = upgrade.productID.identifier else {
                throw Problem.invalid("productID: expected 1 to 255 characters")
            }
            return try await perform(.upgrade(product), context)
        }
        router.get("customers/{customer}/receipt", use: receipt)
        router.post("faults", use: postFault)
        router.delete("faults") { _, _ in
            await faults.clear()
            return Response(status: .noContent)
        }
        router.get("root.cer") { _, _ in certificate(rootCertificate) }
        router.get("receipt-root.cer") { _, _ in certificate(receiptRootCertificate) }
    }

    @Sendable private func purchase(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let order = try await decode(PurchaseRequest.self, request, context)
        let date = clock().wholeMilliseconds
        let purchase = try await counter.purchase(order, at: date)
        var answer = try answer(purchase, at: date)
        answer.appReceipt = try await counter.appReceipt(of: purchase.customer, at: date)
        answer.transactionReceipt = try await counter.transactionReceipt(purchase)
        return try .json(answer, status: .created)
    }

    @Sendable private func refund(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let date = clock().wholeMilliseconds
        guard let purchase = try await counter.book.refund(context.parameters.get("id") ?? "", at: date) else {
            throw Problem.notFound("There is no such transaction.")
        }
        return try .json(answer(purchase, at: date))
    }

    private func perform(_ act: SubscriptionAct, _ context: StoreRequestContext) async throws -> Response {
        let date = clock().wholeMilliseconds
        let id = context.parameters.get("id") ?? ""
        guard let purchase = try await counter.book.perform(act, on: id, at: date) else {
            throw Problem.notFound("There is no such subscription.")
        }
        return try .json(answer(purchase, at: date))
    }

    @Sendable private func receipt(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let query = request.uri.queryParameters
        guard let name = context.parameters.get("customer")?.removingPercentEncoding?.identifier,
            let app = query.get("bundleID")?.identifier,
            let environment = (query.get("environment") ?? "Production").servedEnvironment
        else { throw Problem.invalid("A customer, bundleID, and Production or Sandbox as environment are needed.") }
        let customer = Customer(app: app, environment: environment, name: name)
        return try .json(["appReceipt": await counter.appReceipt(of: customer, at: clock().wholeMilliseconds)])
    }

    @Sendable private func postFault(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        await faults.post(try await decode(Fault.self, request, context))
        return Response(status: .noContent)
    }

    private func answer(_ purchase: StoredPurchase, at date: Date) throws -> PurchaseAnswer {
        PurchaseAnswer(
            transactionID: purchase.transaction.id, originalTransactionID: purchase.transaction.originalID,
            signedTransaction: try counter.signedTransaction(purchase, at: date),
            signedRenewalInfo: try counter.signedRenewalInfo(purchase, at: date))
    }

    private func certificate(_ der: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/pkix-cert"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: der)))
    }

    private func decode<Value: Decodable>(
        _ type: Value.Type, _ request: Request, _ context: StoreRequestContext
    ) async throws -> Value {
        let body = try await context.body(of: request, upTo: Limits.body)
        return try JSONBody.decode(type, from: Data(body.readableBytesView))
    }
}
