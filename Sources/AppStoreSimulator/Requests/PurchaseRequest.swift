import Foundation
import InAppPurchase

/// The body of a `POST` to `/simulator/v1/purchases`.
struct PurchaseRequest: Sendable {
    /// The range of purchase dates: in the past or the future, but not where readers of receipts cannot handle them.
    static let purchaseDates = Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 32_503_680_000)

    private static let types =
        "what App Store Connect calls it: one of consumable, non-consumable, non-renewing, auto-renewable"

    var customer: Customer
    var productID: ProductID
    /// `nil` if the product information is to say it.
    var statedType: ProductType?
    var quantity: Int
    var appAccountToken: UUID?
    var purchaseDate: Date?
    var ownershipType: Transaction.OwnershipType
    var period: CalendarDuration?
    var offer: Offer?
    /// The signature of the offer by the app's server; `nil` if the request has none.
    var offerSignature: String?
    /// The device that the receipts in the response are made for; `nil` for none.
    var device: UUID?
    /// The price of one unit or of a period without the offer, in milliunits.
    var price: Int?
    var currency: String?
    var storefront: String
    /// Whether a subscription renews by itself.
    var renews: Bool
    var isAccelerated: Bool
    var outcome: SimulatorPurchaseOutcome
    var group: String?
    var winBackOffers: [String]?
    /// The one who invites to the seats; `nil` if the request does not say.
    var invitations: Seats.Invitations?
    var billingPlan: BillingPlan?

    var type: ProductType? { statedType }

    /// The time between two renewals.
    var standardPeriod: CalendarDuration { period ?? CalendarDuration(months: 1) }

    /// The amount that the customer pays, of a subscription for each seat, in milliunits.
    var total: Int? { (offer?.ownPrice ?? price)?.saturatingMultiplied(by: type == .autoRenewable ? 1 : quantity) }

    /// The seats of a subscription; `nil` if it is one person's.
    var seats: Seats? {
        guard quantity > 1 || invitations != nil else { return nil }
        return Seats(quantity, invitations: invitations ?? .apple)
    }

    /// The end of the first period.
    func firstEnd(from start: Date) -> Date {
        let pace: Pace = isAccelerated ? .accelerated : .real
        return pace.end(of: offer?.period ?? standardPeriod, from: start)
    }

    /// The request with what it leaves open taken from the product information.
    ///
    /// - Throws: ``SimulatorProblem`` if neither says the type.
    func completed(by known: StoreProduct?) throws -> PurchaseRequest {
        var request = self
        request.statedType = statedType ?? known.flatMap { ProductType(word: $0.type) }
        guard request.statedType != nil else { throw SimulatorProblem.invalid("type: expected \(Self.types)") }
        try request.checkTerms()
        request.period = billingPlan == .monthly ? BillingPlan.billingPeriod : period ?? known?.period
        request.price = price ?? known.map(billed(_:)) ?? StoreProduct.standardPrice
        request.currency = currency ?? known?.storefronts?[storefront]?.currency ?? known?.currency
        request.currency = request.currency ?? Storefront.currency(of: storefront)
        request.offer = offer.map { $0.completed(by: known?.offer(like: $0)) }
        request.group = known?.group
        request.winBackOffers = known?.winBackOffers
        return request
    }

    /// - Throws: ``SimulatorProblem`` if products of this type are not sold on these terms.
    private func checkTerms() throws {
        guard type != .autoRenewable else {
            guard billingPlan != .monthly || period == nil else {
                throw SimulatorProblem.invalid("period: a commitment is billed by the month")
            }
            return
        }
        guard SimulatorLimits.quantity.contains(quantity) else {
            throw SimulatorProblem.invalid("quantity: expected \(SimulatorLimits.quantity)")
        }
        guard invitations == nil else {
            throw SimulatorProblem.invalid("invitationManagement: only an auto-renewable subscription has seats")
        }
        guard billingPlan == nil else {
            throw SimulatorProblem.invalid("billingPlanType: only an auto-renewable subscription has one")
        }
    }

    /// The product's price for each time that it is billed, in milliunits.
    private func billed(_ known: StoreProduct) -> Int {
        let isYear = billingPlan == .monthly && known.period == BillingPlan.commitment
        return known.price(in: storefront) / (isYear ? BillingPlan.periods : 1)
    }
}

extension PurchaseRequest: Decodable {
    private enum CodingKeys: CodingKey {
        case bundleID, productID, type, quantity, appAccountToken, environment, purchaseDate, customer, ownershipType
        case period, device, price, currency, storefront, renews, accelerated, outcome
        case invitationManagement, billingPlanType
    }

    /// - Throws: `DecodingError` with the path to the error.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        productID = try members.decode(.productID, "1 to 255 characters") { $0.identifier.map(ProductID.init(stored:)) }
        statedType = try members.decodeIfPresent(.type, Self.types) { ProductType(word: $0) }
        quantity = try members.decodeIfPresent(Int.self, forKey: .quantity) ?? 1
        guard SimulatorLimits.seats.contains(quantity) else {
            throw members.invalid(.quantity, "\(SimulatorLimits.seats)")
        }
        appAccountToken = try members.decodeIfPresent(.appAccountToken, "a UUID") { UUID(uuidString: $0) }
        purchaseDate = try members.decodeIfPresent(.purchaseDate, "an RFC 3339 time before the year 3000") { text in
            Date(rfc3339: text).flatMap { Self.purchaseDates.contains($0) ? $0.wholeMilliseconds : nil }
        }
        ownershipType =
            try members.decodeIfPresent(.ownershipType, "PURCHASED, FAMILY_SHARED or ASSIGNED") {
                Transaction.OwnershipType(known: $0)
            } ?? .purchased
        device = try members.decodeIfPresent(.device, "a UUID") { UUID(uuidString: $0) }
        period = try members.decodeIfPresent(.period, "an ISO 8601 duration such as P1M") {
            CalendarDuration(iso8601: $0)
        }
        let offered = try OfferMembers(from: decoder)
        offer = offered.offer
        offerSignature = offered.signature
        customer = try Self.customer(in: members, appAccountToken)
        price = try members.decode(.price, in: SimulatorLimits.price)
        currency = try members.decodeCode(.currency, "a code of ISO 4217 such as USD")
        storefront = try members.decodeCode(.storefront, "a code of ISO 3166-1 such as USA") ?? Storefront.standard
        renews = try members.decodeIfPresent(Bool.self, forKey: .renews) ?? true
        isAccelerated = try members.decodeIfPresent(Bool.self, forKey: .accelerated) ?? false
        outcome = try members.decodeIfPresent(.outcome, "bought, pending, declined or cancelled") ?? .bought
        invitations = try members.decodeIfPresent(.invitationManagement, "APPLE or DEVELOPER")
        billingPlan = try members.decodeIfPresent(.billingPlanType, "MONTHLY or BILLED_UPFRONT")
    }

    private static func customer(in members: KeyedDecodingContainer<CodingKeys>, _ token: UUID?) throws -> Customer {
        let app = try members.decode(.bundleID, "1 to 255 characters") { $0.identifier.map(BundleID.init(stored:)) }
        let environment = try members.decodeIfPresent(.environment, "Production or Sandbox") { $0.servedEnvironment }
        let name = try members.decodeIfPresent(.customer, "1 to 255 characters") { $0.identifier }
        return Customer(app: app, environment: environment ?? .production, name: name ?? token?.text ?? Customer.common)
    }
}

extension Transaction.OwnershipType {
    /// The type of this name; `nil` if the App Store has none.
    init?(known name: String) {
        let type = Self(rawValue: name)
        guard [.purchased, .familyShared, .assigned].contains(type) else { return nil }
        self = type
    }
}

extension String {
    /// The string if it is a valid identifier: not empty, not too long, without control characters; otherwise `nil`.
    var identifier: String? {
        isEmpty || hasControlCharacters || utf8.count > SimulatorLimits.identifierLength ? nil : self
    }

    /// The environment of this name; `nil` if the simulator does not serve it.
    var servedEnvironment: Environment? { Environment(known: self).flatMap { $0 == .xcode ? nil : $0 } }
}

extension KeyedDecodingContainer {
    /// The code of a country or a currency.
    fileprivate func decodeCode(_ key: Key, _ expected: String) throws -> String? {
        try decodeIfPresent(key, expected) { Storefront.isCode($0) ? $0 : nil }
    }

    fileprivate func decodeIfPresent<Word: RawRepresentable<String>>(_ key: Key, _ expected: String) throws -> Word? {
        try decodeIfPresent(key, expected) { Word(rawValue: $0) }
    }

    func invalid(_ key: Key, _ expected: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: "expected \(expected)")
    }

    func decode<Value>(_ key: Key, _ expected: String, _ read: (String) -> Value?) throws -> Value {
        guard let value = read(try decode(String.self, forKey: key)) else { throw invalid(key, expected) }
        return value
    }

    func decodeIfPresent<Value>(_ key: Key, _ expected: String, _ read: (String) -> Value?) throws -> Value? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let value = read(text) else { throw invalid(key, expected) }
        return value
    }
}

/// How a purchase ends.
enum SimulatorPurchaseOutcome: String, Sendable {
    case bought
    /// Somebody else has to approve it (Ask to Buy).
    case pending
    /// The payment is declined.
    case declined
    /// The customer cancels it (StoreKit, `userCancelled`).
    case cancelled
}
