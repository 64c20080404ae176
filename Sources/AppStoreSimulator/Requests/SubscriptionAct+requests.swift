import Foundation
import InAppPurchase

extension SubscriptionAct {
    private struct Expiry: Decodable {
        var reason: String?
    }

    private struct Trouble: Decodable {
        var days: Int?
        var recoversAfter: CalendarDuration?
    }

    private struct PriceIncrease: Decodable {
        var consent: String?
        var price: Int?
    }

    private struct Renewal: Decodable {
        var early: Bool?
    }

    private struct Extension: Decodable {
        var days: Int
    }

    private struct SeatCount: Decodable {
        var quantity: Int
    }

    private struct SeatClaims: Decodable {
        var seatClaimIDs: [UUID]
    }

    private struct Redemption: Decodable {
        var change: String?
    }

    /// The acts by the last part of their routes' paths: `/simulator/v1/subscriptions/{id}/<name>`.
    static let names = [
        "renew", "grace", "billing-retry", "revoke", "grace-period-expired", "cancel", "reenable", "expire", "upgrade",
        "downgrade", "crossgrade", "resubscribe", "price-increase", "extend", "redeem-offer", "add-seats",
        "renewal-seats", "unclaim-seats",
    ]

    /// The act that a path and a body name.
    ///
    /// - Parameters:
    ///   - name: one of ``names``.
    ///   - body: JSON; may be empty where no member is required.
    /// - Throws: ``SimulatorProblem``, `JSONError`, `DecodingError`.
    init(named name: String, _ body: Data, at date: Date) throws {
        switch name {
        case "renew": self = try Self.decodeIfPresent(Renewal.self, body)?.early == true ? .renewEarly : .renew
        case "revoke": self = .revoke
        case "grace-period-expired": self = .gracePeriodExpired
        case "cancel": self = .setAutoRenew(false)
        case "reenable": self = .setAutoRenew(true)
        case "grace", "billing-retry": self = try Self.trouble(name, body)
        case "expire": self = try Self.expiry(body)
        case "upgrade": self = .upgrade(try Self.choice(body))
        case "downgrade": self = .downgrade(try Self.choice(body))
        case "crossgrade": self = .crossgrade(try Self.choice(body))
        case "resubscribe": self = .resubscribe(body.isEmpty ? Choice() : try JSONBody.decode(Choice.self, from: body))
        case "price-increase": self = try Self.priceIncrease(body)
        case "extend": self = try Self.renewalExtension(body, at: date)
        case "redeem-offer": self = try Self.redemption(body)
        case "add-seats": self = .addSeats(try Self.seatCount(body))
        case "renewal-seats": self = .renewSeats(try Self.seatCount(body))
        case "unclaim-seats": self = .unclaimSeats(try Self.seatClaims(body))
        default: throw SimulatorProblem.invalid("act: expected one of \(Self.names.joined(separator: ", "))")
        }
    }

    private static func decodeIfPresent<Value: Decodable>(_ type: Value.Type, _ body: Data) throws -> Value? {
        body.isEmpty ? nil : try JSONBody.decode(type, from: body)
    }

    private static func trouble(_ name: String, _ body: Data) throws -> SubscriptionAct {
        let trouble = try decodeIfPresent(Trouble.self, body)
        if name == "billing-retry" { return .billingRetry(recoversAfter: trouble?.recoversAfter) }
        if let days = trouble?.days, !gracePeriods.contains(days) {
            throw SimulatorProblem.invalid("days: expected 3, 16 or 28")
        }
        return .grace(days: trouble?.days, recoversAfter: trouble?.recoversAfter)
    }

    private static func expiry(_ body: Data) throws -> SubscriptionAct {
        let word = try decodeIfPresent(Expiry.self, body)?.reason ?? "voluntary"
        guard let reason = ExpirationReason(word: word) else {
            throw SimulatorProblem.invalid(
                "reason: expected voluntary, billing-retry, price-increase, product-not-for-sale or other")
        }
        return .expire(reason)
    }

    private static func choice(_ body: Data) throws -> Choice {
        let choice = try JSONBody.decode(Choice.self, from: body)
        guard choice.product != nil else { throw SimulatorProblem.invalid("productID: missing") }
        return choice
    }

    private static func priceIncrease(_ body: Data) throws -> SubscriptionAct {
        let increase = try decodeIfPresent(PriceIncrease.self, body)
        if let price = increase?.price, !SimulatorLimits.price.contains(price) {
            throw SimulatorProblem.invalid(
                "price: expected \(SimulatorLimits.price.lowerBound) to \(SimulatorLimits.price.upperBound)")
        }
        switch increase?.consent ?? "pending" {
        case "pending": return .priceIncrease(isAccepted: false, price: increase?.price)
        case "accepted": return .priceIncrease(isAccepted: true, price: increase?.price)
        case "refused": return .expire(.priceIncrease)
        default: throw SimulatorProblem.invalid("consent: expected pending, accepted or refused")
        }
    }

    private static func renewalExtension(_ body: Data, at date: Date) throws -> SubscriptionAct {
        let days = try JSONBody.decode(Extension.self, from: body).days
        guard SimulatorLimits.extensionDays.contains(days) else {
            throw SimulatorProblem.invalid("days: expected 1 to 90")
        }
        return .extend(SimulatorRenewalExtension(requestIdentifier: UUID().text, days: days, date: date))
    }

    private static func seatCount(_ body: Data) throws -> Int {
        let quantity = try JSONBody.decode(SeatCount.self, from: body).quantity
        guard SimulatorLimits.seats.contains(quantity) else {
            throw SimulatorProblem.invalid("quantity: expected \(SimulatorLimits.seats)")
        }
        return quantity
    }

    private static func seatClaims(_ body: Data) throws -> [UUID] {
        let ids = try JSONBody.decode(SeatClaims.self, from: body).seatClaimIDs
        guard SimulatorLimits.seats.contains(ids.count) else {
            throw SimulatorProblem.invalid("seatClaimIDs: expected \(SimulatorLimits.seats) of them")
        }
        return ids
    }

    private static func redemption(_ body: Data) throws -> SubscriptionAct {
        let choice = try JSONBody.decode(Choice.self, from: body)
        guard let offer = choice.offer else { throw SimulatorProblem.invalid("offerType: missing") }
        guard choice.product != nil else { return .redeem(offer) }
        let isDowngrade = try JSONBody.decode(Redemption.self, from: body).change == "downgrade"
        return isDowngrade ? .downgrade(choice) : .upgrade(choice)
    }
}
