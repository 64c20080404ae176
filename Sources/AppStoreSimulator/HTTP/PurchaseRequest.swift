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
    var type: ProductType
    var quantity: Int
    var appAccountToken: UUID?
    var purchaseDate: Date?
    var ownershipType: Transaction.OwnershipType
    var period: CalendarDuration
    var offer: Offer?
    /// The device that the receipts in the response are made for; `nil` for none.
    var device: UUID?

    /// The time until the first renewal.
    var firstPeriod: CalendarDuration { offer?.period ?? period }
}

extension PurchaseRequest: Decodable {
    private enum CodingKeys: CodingKey {
        case bundleID, productID, type, quantity, appAccountToken, environment, purchaseDate, customer, ownershipType
        case period, offerType, device
    }

    /// - Throws: `DecodingError` with the path to the mistake.
    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        productID = try members.decode(.productID, "1 to 255 characters") { $0.identifier.map(ProductID.init(stored:)) }
        type = try members.decode(.type, Self.types) { ProductType(word: $0) }
        quantity = try members.decodeIfPresent(Int.self, forKey: .quantity) ?? 1
        guard Limits.quantity.contains(quantity) else { throw members.mistake(.quantity, "\(Limits.quantity)") }
        appAccountToken = try members.decodeIfPresent(.appAccountToken, "a UUID") { UUID(uuidString: $0) }
        purchaseDate = try members.decodeIfPresent(.purchaseDate, "an RFC 3339 time before the year 3000") { text in
            Date(rfc3339: text).flatMap { Self.purchaseDates.contains($0) ? $0.wholeMilliseconds : nil }
        }
        ownershipType =
            try members.decodeIfPresent(.ownershipType, "PURCHASED, FAMILY_SHARED or ASSIGNED") {
                Transaction.OwnershipType(known: $0)
            } ?? .purchased
        device = try members.decodeIfPresent(.device, "a UUID") { UUID(uuidString: $0) }
        period =
            try members.decodeIfPresent(.period, "an ISO 8601 duration such as P1M") {
                CalendarDuration(iso8601: $0)
            } ?? CalendarDuration(months: 1)
        offer = members.contains(.offerType) ? try Offer(from: decoder) : nil
        customer = try Self.customer(in: members, appAccountToken)
    }

    private static func customer(
        in members: KeyedDecodingContainer<CodingKeys>, _ token: UUID?
    ) throws -> Customer {
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
        isEmpty || hasControlCharacters || utf8.count > Limits.identifierLength ? nil : self
    }

    /// The environment of this name; `nil` if the simulator does not serve it.
    var servedEnvironment: Environment? {
        Environment(known: self).flatMap { $0 == .xcode ? nil : $0 }
    }
}

extension KeyedDecodingContainer {
    func mistake(_ key: Key, _ expected: String) -> DecodingError {
        .dataCorruptedError(forKey: key, in: self, debugDescription: "expected \(expected)")
    }

    func decode<Value>(_ key: Key, _ expected: String, _ read: (String) -> Value?) throws -> Value {
        guard let value = read(try decode(String.self, forKey: key)) else { throw mistake(key, expected) }
        return value
    }

    func decodeIfPresent<Value>(
        _ key: Key, _ expected: String, _ read: (String) -> Value?
    ) throws -> Value? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let value = read(text) else { throw mistake(key, expected) }
        return value
    }
}
