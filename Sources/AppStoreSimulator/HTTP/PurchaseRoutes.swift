import Basics
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// The routes for purchases, and for those that somebody else has to approve: `/simulator/v1/purchases`.
struct PurchaseRoutes: Sendable {
    private struct Pending: Encodable {
        var purchase: String
    }

    var acts: Acts
    var offers: OfferChecks

    private var asks: AskBook { AskBook(store: acts.counter.book.store) }

    func add(to router: RouterGroup<StoreRequestContext>) {
        router.post("purchases", use: purchase)
        router.post("purchases/{id}/approve", use: approve)
        router.post("purchases/{id}/decline") { _, context in
            try await decide(context, .declined)
            return try Response.json(Pending(purchase: context.id.text))
        }
    }

    @Sendable private func purchase(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let body = try await context.data(of: request)
        let order = try JSONBody.decode(PurchaseRequest.self, from: body)
        switch order.outcome {
        case .bought:
            try await offers.check(order)
            return try await buy(order)
        case .declined:
            throw SimulatorProblem(
                status: .init(code: 402), code: "payment_declined", detail: "The payment was declined.")
        case .cancelled:
            throw SimulatorProblem(
                status: .init(code: 402), code: "purchase_cancelled", detail: "The customer cancelled the purchase.")
        case .pending:
            let known = try await acts.counter.book.products.product(order.productID, of: order.customer.app)
            _ = try order.completed(by: known)
            try await offers.check(order)
            return try .json(Pending(purchase: await asks.record(body)), status: .accepted)
        }
    }

    /// Makes the purchase that was asked for, now.
    @Sendable private func approve(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let body = try await decide(context, .approved)
        return try await buy(try JSONBody.decode(PurchaseRequest.self, from: body))
    }

    private func buy(_ order: PurchaseRequest) async throws -> Response {
        let date = acts.now
        let outcome = try await acts.counter.purchase(order, at: date)
        try await acts.notifier.tell(outcome, at: date)
        return try await acts.purchaseAnswer(outcome.purchase, for: order.device, at: date)
    }

    /// Decides the purchase that the path names, once, and returns the body of its request.
    @discardableResult
    private func decide(_ context: StoreRequestContext, _ decision: AskBook.Decision) async throws -> Data {
        guard let body = try await asks.body(context.id.text) else {
            throw SimulatorProblem.notFound("There is no such purchase that waits.")
        }
        guard try await asks.decide(context.id.text, decision) else {
            throw SimulatorProblem.conflict("already_decided", "It was approved or declined before.")
        }
        return body
    }
}

/// The purchases that somebody else has to approve (Ask to Buy), in the key/value store.
struct AskBook: Sendable {
    enum Decision: String, Sendable { case approved, declined }

    private static let prefix = "p_"

    let store: any KeyValueStore

    /// Stores the body of a request to buy, and returns the ID of the purchase that waits.
    func record(_ body: Data) async throws -> String {
        let id = Self.prefix + UUID().text
        try await store.set([Self.key(id): body])
        return id
    }

    /// The body of the request; `nil` if the ID is unknown.
    func body(_ id: String) async throws -> Data? {
        guard id.hasPrefix(Self.prefix), UUID(uuidString: String(id.dropFirst(Self.prefix.count))) != nil else {
            return nil
        }
        return try await store.value(forKey: Self.key(id))
    }

    /// Decides; `false` if it was decided before.
    func decide(_ id: String, _ decision: Decision) async throws -> Bool {
        let claim = Data("\(decision.rawValue) \(UUID().text)".utf8)
        return try await store.establish(claim, forKey: Self.key(id) + "/decision") == claim
    }

    private static func key(_ id: String) -> String { "simulator/asks/\(id)" }
}
