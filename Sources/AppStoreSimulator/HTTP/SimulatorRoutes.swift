import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore

/// The routes for actions of the customer and of Apple's staff: `/simulator/v1`.
struct SimulatorRoutes: Sendable {
    var acts: Acts
    var keys: APIKeys
    var faults: FaultBoard
    /// The present time of the app's server, if that is not the simulator's.
    var callersClock: @Sendable () -> Date
    /// The root certificate, in DER.
    var rootCertificate: [UInt8]
    var receiptRootCertificate: [UInt8]

    private var counter: Counter { acts.counter }

    func add(to router: RouterGroup<StoreRequestContext>) {
        let offers = OfferChecks(book: counter.book, keys: keys, clocks: [acts.clock, callersClock])
        PurchaseRoutes(acts: acts, offers: offers).add(to: router)
        SimulatorProductRoutes(products: counter.book.products).add(to: router)
        SubscriptionRoutes(acts: acts).add(to: router)
        TransactionRoutes(acts: acts).add(to: router)
        router.get("customers/{customer}/receipt", use: receipt)
        router.post("customers/{customer}/receipt", use: refreshReceipt)
        router.get("customers/{customer}/transactions", use: transactions)
        router.get("api-key", use: apiKey)
        router.get("transactions/{id}/consumption", use: consumption)
        router.post("faults", use: postFault)
        router.delete("faults") { _, _ in
            await faults.clear()
            return Response(status: .noContent)
        }
        router.get("root.cer") { _, _ in certificate(rootCertificate) }
        router.get("receipt-root.cer") { _, _ in certificate(receiptRootCertificate) }
    }

    @Sendable private func receipt(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let (customer, device) = try owner(request, context)
        return try .json(["appReceipt": await counter.appReceipt(of: customer, for: device, at: acts.now)])
    }

    /// Restores what the customer bought, as StoreKit does when the app refreshes the receipt.
    @Sendable private func refreshReceipt(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let (customer, device) = try owner(request, context)
        return try .json(["appReceipt": await counter.refreshedAppReceipt(of: customer, for: device, at: acts.now)])
    }

    @Sendable private func transactions(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let (customer, device) = try owner(request, context)
        return try .json(await counter.signedTransactions(of: customer, for: device, at: acts.now))
    }

    /// The customer that the request names, and the customer's device.
    private func owner(_ request: Request, _ context: StoreRequestContext) throws -> (Customer, device: UUID?) {
        let query = request.uri.queryParameters
        guard let name = context.parameters.get("customer")?.removingPercentEncoding?.identifier,
            let app = query.get("bundleID")?.identifier,
            let environment = (query.get("environment") ?? "Production").servedEnvironment
        else {
            throw SimulatorProblem.invalid("A customer, bundleID, and Production or Sandbox as environment are needed.")
        }
        let device = try query.get("device").map { text in
            guard let device = UUID(uuidString: text) else { throw SimulatorProblem.invalid("device: expected a UUID") }
            return device
        }
        return (Customer(app: BundleID(stored: app), environment: environment, name: name), device)
    }

    @Sendable private func apiKey(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        guard let app = request.uri.queryParameters.get("bundleID")?.identifier else {
            throw SimulatorProblem.invalid("A bundleID is needed.")
        }
        return try .json(await keys.establish(for: BundleID(stored: app)))
    }

    /// The consumption information that the app's server sent about the transaction.
    @Sendable private func consumption(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let id = context.parameters.get("id") ?? ""
        guard let data = try await ServerAPI.consumption(of: TransactionID(stored: id), in: counter.book.store) else {
            throw SimulatorProblem.notFound("Nothing was told of such a transaction.")
        }
        return try .json(JSONDecoder().decode(JSONValue.self, from: data))
    }

    @Sendable private func postFault(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        try await faults.post(context.decode(Fault.self, from: request))
        return Response(status: .noContent)
    }

    private func certificate(_ der: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/pkix-cert"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: der)))
    }
}
