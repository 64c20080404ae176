import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// The routes for events of subscriptions: `/simulator/v1/subscriptions/{id}/…`.
struct SubscriptionRoutes: Sendable {
    private struct Expiry: Decodable {
        var reason: String?
    }

    private struct Change: Decodable {
        var productID: ProductID
        var period: CalendarDuration?
    }

    private struct Again: Decodable {
        var productID: ProductID?
        var offerType: Int?
    }

    private struct PriceIncrease: Decodable {
        var consent: String?
    }

    private struct Extension: Decodable {
        var days: Int
    }

    private struct Redemption: Decodable {
        var productID: ProductID?
        var change: String?
    }

    var acts: Acts

    func add(to router: RouterGroup<StoreRequestContext>) {
        let plain: [(String, SubscriptionAct)] = [
            ("renew", .renew), ("grace", .grace), ("billing-retry", .billingRetry), ("revoke", .revoke),
            ("grace-period-expired", .gracePeriodExpired), ("cancel", .setAutoRenew(false)),
            ("reenable", .setAutoRenew(true)),
        ]
        for (path, act) in plain {
            router.post("subscriptions/{id}/\(path)") { _, context in try await acts.perform(act, context) }
        }
        let told: [(String, @Sendable (Request, StoreRequestContext) async throws -> SubscriptionAct)] = [
            ("expire", expiry), ("upgrade", upgrade), ("downgrade", downgrade), ("crossgrade", crossgrade),
            ("resubscribe", resubscription), ("price-increase", priceIncrease), ("extend", renewalExtension),
            ("redeem-offer", redemption),
        ]
        for (path, read) in told {
            router.post("subscriptions/{id}/\(path)") { request, context in
                try await acts.perform(read(request, context), context)
            }
        }
    }

    @Sendable private func expiry(_ request: Request, _ context: StoreRequestContext) async throws -> SubscriptionAct {
        let word = try await context.decodeIfPresent(Expiry.self, from: request)?.reason ?? "voluntary"
        guard let reason = ExpirationReason(word: word) else {
            throw Problem.invalid(
                "reason: expected voluntary, billing-retry, price-increase, product-not-for-sale or other")
        }
        return .expire(reason)
    }

    @Sendable private func upgrade(_ request: Request, _ context: StoreRequestContext) async throws -> SubscriptionAct {
        .upgrade(try await change(request, context).productID, nil)
    }

    @Sendable private func downgrade(
        _ request: Request, _ context: StoreRequestContext
    ) async throws -> SubscriptionAct {
        let change = try await change(request, context)
        return .downgrade(change.productID, change.period, nil)
    }

    @Sendable private func crossgrade(
        _ request: Request, _ context: StoreRequestContext
    ) async throws -> SubscriptionAct {
        let change = try await change(request, context)
        return .crossgrade(change.productID, change.period)
    }

    @Sendable private func resubscription(
        _ request: Request, _ context: StoreRequestContext
    ) async throws -> SubscriptionAct {
        let body = try await context.data(of: request)
        guard !body.isEmpty else { return .resubscribe(nil, nil) }
        let again = try JSONBody.decode(Again.self, from: body)
        let offer = again.offerType == nil ? nil : try JSONBody.decode(Offer.self, from: body)
        return .resubscribe(try again.productID.map(Self.checked), offer)
    }

    @Sendable private func priceIncrease(
        _ request: Request, _ context: StoreRequestContext
    ) async throws -> SubscriptionAct {
        switch try await context.decodeIfPresent(PriceIncrease.self, from: request)?.consent ?? "pending" {
        case "pending": return .priceIncrease(isAccepted: false)
        case "accepted": return .priceIncrease(isAccepted: true)
        case "refused": return .expire(.priceIncrease)
        default: throw Problem.invalid("consent: expected pending, accepted or refused")
        }
    }

    @Sendable private func renewalExtension(
        _ request: Request, _ context: StoreRequestContext
    ) async throws -> SubscriptionAct {
        let days = try await context.decode(Extension.self, from: request).days
        guard Limits.extensionDays.contains(days) else { throw Problem.invalid("days: expected 1 to 90") }
        return .extend(RenewalExtension(requestIdentifier: UUID().text, days: days, date: acts.now))
    }

    @Sendable private func redemption(
        _ request: Request, _ context: StoreRequestContext
    ) async throws -> SubscriptionAct {
        let body = try await context.data(of: request)
        let offer = try JSONBody.decode(Offer.self, from: body)
        let redemption = try JSONBody.decode(Redemption.self, from: body)
        guard let product = try redemption.productID.map(Self.checked) else { return .redeem(offer) }
        return redemption.change == "downgrade" ? .downgrade(product, nil, offer) : .upgrade(product, offer)
    }

    private func change(_ request: Request, _ context: StoreRequestContext) async throws -> Change {
        var change = try await context.decode(Change.self, from: request)
        change.productID = try Self.checked(change.productID)
        return change
    }

    private static func checked(_ product: ProductID) throws -> ProductID {
        guard product.text.identifier != nil else {
            throw Problem.invalid("productID: expected 1 to 255 characters")
        }
        return product
    }
}
