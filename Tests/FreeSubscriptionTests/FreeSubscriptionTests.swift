import Foundation
import FreeSubscription
import InAppPurchase
import Testing

@Suite struct FreeSubscriptionTests {
    static let noon = Date(timeIntervalSince1970: 1_795_176_000)
    static let daily = ProductID(stored: "daily")
    static let sunday = ProductID(stored: "sunday")
    static let stamp: Credits = [Currency(stored: "stamps"): 1]

    /// A subscription as the ledger has it: what the store said, and the terms of its purchase.
    static func subscription(
        _ id: Int, to product: ProductID = daily, opens: Date? = nil, revoked: Bool = false, copyOf original: Int? = nil
    ) -> Purchase<FreeSubscription> {
        let transaction = Transaction(
            id: TransactionID(stored: "\(id)"), originalID: TransactionID(stored: "\(original ?? id)"),
            app: BundleID(stored: "gazette"), environment: .production, productID: product, purchaseDate: noon,
            revocation: revoked ? Transaction.Revocation(date: noon) : nil, signedDate: noon, isSigned: true)
        return Purchase(transaction: transaction, terms: FreeSubscription(opens: opens), credits: stamp)
    }

    static let cases: [(String, [Purchase<FreeSubscription>], Access, Credits)] = [
        ("it never ends", [subscription(1)], .granted(until: nil), stamp),
        ("it opens now", [subscription(1, opens: noon)], .granted(until: nil), stamp),
        ("it opens later", [subscription(1, opens: noon + 1)], .denied(.notOpenYet), stamp),
        ("the store took it back", [subscription(1, revoked: true)], .denied(.revoked), [:]),
        ("and gave it again", [subscription(1, revoked: true), subscription(2)], .granted(until: nil), stamp),
        (
            "restored, and one purchase still", [subscription(1), subscription(2, copyOf: 1)], .granted(until: nil),
            stamp
        ),
        ("another product's", [subscription(1, to: sunday)], .denied(.revoked), [:]),
    ]

    @Test(arguments: cases) func `A free subscription gives access without an end from its opening`(
        name: String, purchases: [Purchase<FreeSubscription>], access: Access, credits: Credits
    ) {
        let history = PurchaseHistory(purchases: purchases)
        let entitlement = FreeSubscription.entitlement(to: Self.daily, given: history, at: Self.noon)
        #expect(entitlement == Entitlement(access: access, credits: credits), "\(name)")
    }

    /// Receipts come in any order, from several devices, and again: the answer must be the same.
    @Test(arguments: UInt64(1)...100)
    func `The order of purchases and duplicates of them change no entitlement`(seed: UInt64) throws {
        var generator = SplitMix64(state: seed)
        let purchases = (1...Int.random(in: 1...8, using: &generator)).map { id in
            Self.subscription(
                id, to: [Self.daily, Self.sunday].randomElement(using: &generator) ?? Self.daily,
                opens: [nil, Self.noon - 60, Self.noon + 60].randomElement(using: &generator) ?? nil,
                revoked: Bool.random(using: &generator))
        }
        func answers(_ purchases: [Purchase<FreeSubscription>]) -> [Entitlement] {
            let history = PurchaseHistory(purchases: purchases)
            return [Self.daily, Self.sunday].map { FreeSubscription.entitlement(to: $0, given: history, at: Self.noon) }
        }
        let expected = answers(purchases)
        for _ in 0..<10 {
            let copies = purchases.filter { _ in Bool.random(using: &generator) }
            try #require(answers((purchases + copies).shuffled(using: &generator)) == expected)
        }
    }

    /// The terms that are stored with a purchase must be readable for ever.
    @Test(arguments: [nil, noon, noon + 0.25]) func `Terms are read back as they were stored`(opens: Date?) throws {
        let kept = try JSONEncoder().encode(FreeSubscription(opens: opens))
        #expect(try JSONDecoder().decode(FreeSubscription.self, from: kept).opens == opens)
    }

    @Test(arguments: [#""soon""#, "1795176000", #""2026-02-30T00:00:00Z""#])
    func `An opening date that is no date is refused`(opens: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(FreeSubscription.self, from: Data(#"{"opens": \#(opens)}"#.utf8))
        }
    }
}

/// The same seed gives the same run, so that a failure can be seen again.
struct SplitMix64: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }
}
