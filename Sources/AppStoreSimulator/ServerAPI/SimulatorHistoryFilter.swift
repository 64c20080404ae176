import Foundation
import InAppPurchase

/// The filter of a call for the transaction history (Apple, "Get Transaction History"): all conditions must hold; of
/// several values of one condition, any.
struct SimulatorHistoryFilter {
    private static let productTypes: [String: ProductType] = [
        "AUTO_RENEWABLE": .autoRenewable, "NON_RENEWABLE": .nonRenewing, "CONSUMABLE": .consumable,
        "NON_CONSUMABLE": .nonConsumable,
    ]

    var start: Date?
    var end: Date?
    var products: Set<String>
    var types: Set<ProductType>
    var groups: Set<String>
    var ownershipType: Transaction.OwnershipType?
    var isRevoked: Bool?
    var isDescending: Bool
    var revision: Revision?

    /// - Throws: ``ServerAPIError``.
    init(_ call: ServerAPICall) throws {
        start = try call.query("startDate").map { try Self.date($0, or: .startDate) }
        end = try call.query("endDate").map { try Self.date($0, or: .endDate) }
        if let start, let end, start > end { throw ServerAPIError.startDateAfterEndDate }
        products = Set(try call.queries("productId").map { try $0.identifier.orThrow(.productID) })
        types = Set(try call.queries("productType").map { try Self.productTypes[$0].orThrow(.productType) })
        groups = Set(
            try call.queries("subscriptionGroupIdentifier").map { try $0.identifier.orThrow(.subscriptionGroup) })
        ownershipType = try call.query("inAppOwnershipType").map {
            try Transaction.OwnershipType(known: $0).orThrow(.ownershipType)
        }
        // Apple's library for Python writes True and False.
        isRevoked = try call.query("revoked").map { try Bool($0.lowercased()).orThrow(.revoked) }
        let sort = call.query("sort") ?? "ASCENDING"
        guard ["ASCENDING", "DESCENDING"].contains(sort) else { throw ServerAPIError.sort }
        isDescending = sort == "DESCENDING"
        revision = try Revision(call)
    }

    private static func date(_ text: String, or error: ServerAPIError) throws -> Date {
        guard text.isDecimal, let milliseconds = Int(text), Date.writableMilliseconds.contains(milliseconds) else {
            throw error
        }
        return Date(milliseconds: milliseconds)
    }

    func matches(_ purchase: StoredPurchase) -> Bool {
        let transaction = purchase.transaction
        return start.map { transaction.purchaseDate >= $0 } ?? true && end.map { transaction.purchaseDate < $0 } ?? true
            && (products.isEmpty || products.contains(transaction.productID.text))
            && (types.isEmpty || transaction.productType.map { types.contains($0) } ?? false)
            && (groups.isEmpty || transaction.subscriptionGroupID.map { groups.contains($0) } ?? false)
            && ownershipType.map { transaction.ownershipType == $0 } ?? true
            && isRevoked.map { (transaction.revocation != nil) == $0 } ?? true
    }
}

extension Optional {
    /// - Throws: `error` if there is no value.
    func orThrow(_ error: ServerAPIError) throws -> Wrapped {
        guard let value = self else { throw error }
        return value
    }
}

/// The end of a page of transactions: the last change in it.
struct Revision: Comparable {
    var change: Int
    var id: TransactionID

    var text: String { "\(change)_\(id)" }

    init(_ purchase: StoredPurchase) {
        change = purchase.change
        id = purchase.transaction.id
    }

    /// The revision in a call; `nil` if the call has none.
    ///
    /// - Throws: ``ServerAPIError/requestRevision``.
    init?(_ call: ServerAPICall) throws {
        guard let text = call.query("revision"), !text.isEmpty else { return nil }
        let parts = text.split(separator: "_", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy(\.isDecimal), let change = parts.first.flatMap({ Int($0) }),
            let id = parts.last
        else { throw ServerAPIError.requestRevision }
        self.change = change
        self.id = TransactionID(stored: String(id))
    }

    static func < (left: Revision, right: Revision) -> Bool { (left.change, left.id) < (right.change, right.id) }
}
