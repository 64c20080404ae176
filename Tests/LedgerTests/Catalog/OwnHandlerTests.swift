import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// A plugin with rules of its own: the first purchase gives ten credits for each unit, and others nothing.
struct Welcome: ProductHandler {
    static let productType = ProductType(rawValue: "welcome")

    static func entitlement(to product: ProductID, given history: PurchaseHistory<Self>, at date: Date) -> Entitlement {
        let first = history.purchases.first { $0.transaction.revocation == nil }
        return Entitlement(
            access: .denied(.consumed), credits: first.map { ["hints": 10 * $0.transaction.quantity] } ?? [:])
    }
}

/// The handler decides what is delivered, also where it has rules of its own.
@Suite struct OwnHandlerTests {
    private func catalog() throws -> Catalog {
        let json = #"""
            {"apps": [{"bundleID": "hangman", "products": [
              {"id": "gift", "type": "welcome"}, {"id": "more", "type": "welcome", "credits": {"hints": 1}}]}]}
            """#
        return try JSONDecoder().decode(Catalog.self, from: Data(json.utf8), configuration: [Welcome.self])
    }

    @Test(arguments: ["gift", "more"])
    func `A handler of its own decides that only the first purchase is delivered`(product: ProductID) async throws {
        let ledger = TestLedger(try SQLiteLedger.inMemory(handlers: [Welcome.self]))
        try await ledger.join(1)
        let rest = "= hangman \(product) welcome denied consumed\n+ hints"
        #expect(
            try await ledger.record(receipt("a"), bought(product, "1", quantity: 2), in: try catalog())
                == "verified finish\n1 \(product): delivered\n\(rest) 20")
        #expect(
            try await ledger.record(receipt("b"), bought(product, "2", on: day(91)), in: try catalog())
                == "verified finish\n2 \(product): denied consumed\n\(rest) 20")
        let refund = bought(product, "1", quantity: 2, revoked: day(94), signed: day(95))
        #expect(
            try await ledger.record(receipt("c"), refund, in: try catalog())
                == "verified finish\n1 \(product): already delivered\n\(rest) 10")
        #expect(
            try await ledger.record(receipt("b"), bought(product, "2", on: day(91)), in: try catalog())
                == "verified again finish\n2 \(product): delivered\n\(rest) 10")
    }
}
