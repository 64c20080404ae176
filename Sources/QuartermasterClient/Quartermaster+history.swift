public import Foundation

extension Quartermaster {
    /// The account's purchases in this app, the newest first, as the server has them.
    ///
    /// - Parameter next: ``HistoryPage/next`` of the page before.
    /// - Throws: ``NoAccount``, ``ServerProblem`` or ``ConnectionError``.
    public func purchases(after next: String? = nil) async throws -> HistoryPage<ShopPurchase> {
        try await page(of: APIRequest(.get, "v1", "purchases"), after: next)
    }

    /// The changes of a balance, the newest first.
    ///
    /// - Parameter next: as for ``purchases(after:)``.
    /// - Throws: the same.
    public func postings(of currency: String, after next: String? = nil) async throws -> HistoryPage<ShopPosting> {
        try await page(of: APIRequest(.get, "v1", "balances", currency, "postings"), after: next)
    }

    private func page<Item>(
        of request: APIRequest, after next: String?
    ) async throws -> HistoryPage<Item> {
        guard try await session.current() != nil else { throw NoAccount() }
        var request = request
        request.query = [
            ("bundleID", configuration.bundleID), ("environment", await environment.value()?.rawValue), ("after", next),
        ]
        let answer = try await session.send(request)
        return try JSONDecoder().decode(HistoryPage<Item>.self, from: answer.body)
    }
}

/// A page of what happened, the newest first.
public struct HistoryPage<Item: Sendable & Equatable & Decodable>: Sendable, Equatable, Decodable {
    /// The entries of the page.
    public var items: [Item]
    /// The beginning of the next page; `nil` on the last one.
    public var next: String?

    public init(_ items: [Item], next: String? = nil) {
        self.items = items
        self.next = next
    }

    private enum CodingKeys: String, CodingKey {
        case purchases, postings, next
    }

    /// - Throws: if there is no list; an item that cannot be read is left out.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard
            let items = container.lenient(elements: Item.self, .purchases)
                ?? container.lenient(elements: Item.self, .postings)
        else {
            throw DecodingError.dataCorruptedError(
                forKey: .purchases, in: container, debugDescription: "The list is missing.")
        }
        self.init(items, next: container.lenient(String.self, .next))
    }
}

/// A change of a balance.
public struct ShopPosting: Sendable, Equatable, Decodable {
    /// The causes of a change. Expect others.
    public struct Kind: RawRepresentable, Hashable, Sendable, Decodable {
        public let rawValue: String

        public init(rawValue: String) { self.rawValue = rawValue }

        /// The credits of a purchase.
        public static let credit = Self(rawValue: "credit")
        /// They are taken back.
        public static let refund = Self(rawValue: "refund")
        /// Spent by the player.
        public static let spend = Self(rawValue: "spend")
        /// Given or taken by support.
        public static let adjustment = Self(rawValue: "adjustment")
        /// The credits that an account starts with.
        public static let starting = Self(rawValue: "starting")
    }

    /// Below zero for a spend.
    public var amount: Int
    /// The cause.
    public var kind: Kind
    /// The product whose purchase or refund it is.
    public var product: String?
    /// The key of a spend.
    public var key: String?
    /// The time of the change.
    public var at: Date

    private enum CodingKeys: String, CodingKey {
        case amount, kind, product
        case key = "idempotencyKey"
        case at
    }

    public init(amount: Int, kind: Kind, product: String? = nil, key: String? = nil, at: Date) {
        self.amount = amount
        self.kind = kind
        self.product = product
        self.key = key
        self.at = at
    }

    /// - Throws: if the amount, the kind or the time is missing.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let at = container.lenientTime(.at) else {
            throw DecodingError.dataCorruptedError(forKey: .at, in: container, debugDescription: "The time is missing.")
        }
        self.init(
            amount: try container.decode(Int.self, forKey: .amount),
            kind: try container.decode(Kind.self, forKey: .kind), product: container.lenient(String.self, .product),
            key: container.lenient(String.self, .key), at: at)
    }
}
