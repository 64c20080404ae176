import Foundation
import Hummingbird
import InAppPurchase

/// The routes for events of single transactions: `/simulator/v1/transactions/{id}/…`.
struct TransactionRoutes: Sendable {
    private struct ConsumptionRequest: Decodable {
        var reason: String?
    }

    /// Apple, consumptionRequestReason.
    private static let reasons: Set = [
        "UNINTENDED_PURCHASE", "FULFILLMENT_ISSUE", "UNSATISFIED_WITH_PURCHASE", "LEGAL", "OTHER",
    ]

    var acts: Acts

    func add(to router: RouterGroup<StoreRequestContext>) {
        router.post("transactions/{id}/refund", use: refund)
        router.post("transactions/{id}/finish", use: finish)
        router.post("transactions/{id}/restore", use: restore)
        router.post("transactions/{id}/share", use: share)
        router.post("transactions/{id}/refund-reversed") { _, context in
            try await acts.change(context, .refundReversed) { purchase, _ in
                guard purchase.transaction.revocation != nil else {
                    throw SimulatorProblem.conflict("not_refunded", "There is no refund to reverse.")
                }
                purchase.reverseRefund()
            }
        }
        router.post("transactions/{id}/refund-declined") { _, context in
            try await acts.change(context, .refundDeclined) { _, _ in }
        }
        router.post("transactions/{id}/revoke") { _, context in
            try await acts.change(context, .revoke) { purchase, date in
                guard purchase.transaction.ownershipType != .purchased else {
                    throw SimulatorProblem.conflict(
                        "not_family_shared",
                        "Only what the family or an organisation gave is revoked; a purchase is refunded.")
                }
                purchase.refund(at: date)
            }
        }
        router.post("transactions/{id}/consumption-request", use: requestConsumption)
    }

    @Sendable private func refund(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let refund = try Refund(try await context.data(of: request))
        return try await acts.change(context, .refund) { try refund.apply(to: &$0, at: $1) }
    }

    /// Takes the transaction from the unfinished ones, as the app does on the device.
    @Sendable private func finish(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        guard let outcome = try await acts.counter.book.change(context.id, { $0.isFinished = true }) else {
            throw SimulatorProblem.notFound("There is no such transaction.")
        }
        return try .json(acts.answer(outcome.purchase, at: acts.now))
    }

    /// Makes a restored copy, as StoreKit does on another device of the customer.
    @Sendable private func restore(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let asked = try await context.decodeIfPresent(CopyRequest.self, from: request)
        guard let purchase = try await acts.counter.book.purchase(context.id) else {
            throw SimulatorProblem.notFound("There is no such transaction.")
        }
        guard purchase.transaction.productType != .consumable else {
            throw SimulatorProblem.conflict("not_restorable", "A consumable is never restored.")
        }
        let copy = try await acts.counter.restore(purchase, for: asked?.customer, at: acts.now)
        return try await acts.purchaseAnswer(copy, for: asked?.device, at: acts.now)
    }

    /// Gives a family member a copy of the purchaser's purchase.
    @Sendable private func share(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let asked = try await context.decode(CopyRequest.self, from: request)
        guard let member = asked.customer else { throw SimulatorProblem.invalid("customer: missing") }
        guard let newest = try await acts.counter.book.outcome(of: context.id)?.newest else {
            throw SimulatorProblem.notFound("There is no such transaction.")
        }
        try newest.checkSharing(with: member)
        let outcome = try await acts.counter.share(newest, with: member, at: acts.now)
        try await acts.notifier.tell(outcome, at: acts.now)
        return try await acts.purchaseAnswer(outcome.purchase, for: asked.device, at: acts.now)
    }

    @Sendable private func requestConsumption(
        _ request: Request, _ context: StoreRequestContext
    ) async throws -> Response {
        let reason = try await context.decodeIfPresent(ConsumptionRequest.self, from: request)?.reason ?? "OTHER"
        guard Self.reasons.contains(reason) else {
            throw SimulatorProblem.invalid("reason: expected \(Self.reasons.sorted().joined(separator: ", "))")
        }
        return try await acts.change(context, .consumptionRequest, reason: reason) { _, _ in }
    }
}

extension StoredPurchase {
    /// - Throws: ``SimulatorProblem`` if it cannot be shared with the customer of this name.
    fileprivate func checkSharing(with member: String) throws {
        let types: Set<ProductType?> = [.nonConsumable, .autoRenewable]
        guard transaction.ownershipType == .purchased, types.contains(transaction.productType),
            transaction.revocation == nil, seats == nil
        else {
            throw SimulatorProblem.conflict(
                "not_shareable", "Only non-consumables and subscriptions without seats that were bought are shared.")
        }
        let other = Customer(app: transaction.app, environment: transaction.environment, name: member)
        guard other != customer, familyOriginals.count < SimulatorLimits.familyMembers else {
            throw SimulatorProblem.conflict(
                "not_shareable", "A family has \(SimulatorLimits.familyMembers) members besides the purchaser.")
        }
    }
}

/// The body of a request for a copy of a purchase, restored or shared.
struct CopyRequest: Decodable {
    private enum CodingKeys: CodingKey { case customer, device }

    /// The name of the customer who gets it; `nil` for the purchaser.
    var customer: String?
    /// The device that the receipts in the response are made for; `nil` for none.
    var device: UUID?

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        customer = try members.decodeIfPresent(.customer, "1 to 255 characters") { $0.identifier }
        device = try members.decodeIfPresent(.device, "a UUID") { UUID(uuidString: $0) }
    }
}
