import Foundation
import InAppPurchase
import NonConsumable
import TestSupport
import Testing

@Suite struct NonConsumableTests {
    static let date = noon("2026-01-01")
    static let own = bought("words", "1", on: date)
    static let refunded = bought("words", "2", on: date, revoked: true)
    static let restored = bought("words", "5", original: "2", on: date)
    static let shared = bought("words", "3", on: date, ownershipType: .familyShared)

    static let cases: [(String, [Transaction], Access, Credits)] = [
        ("bought", [own], .granted(until: nil), ["hints": 5]),
        ("ahead of our clock", [bought("words", "1", on: noon("2027-01-01"))], .granted(until: nil), ["hints": 5]),
        ("refunded", [refunded], .denied(.revoked), [:]),
        ("refunded and bought again", [refunded, own], .granted(until: nil), ["hints": 5]),
        ("shared by the family: access, no credits", [shared], .granted(until: nil), [:]),
        ("bought too: credits once", [shared, own], .granted(until: nil), ["hints": 5]),
        (
            "Family Sharing ended",
            [bought("words", "3", on: date, revoked: true, ownershipType: .familyShared)], .denied(.revoked), [:]
        ),
        ("another product of the group", [bought("themes", "4", on: date)], .denied(.revoked), [:]),
        ("a restored copy of a refunded one", [refunded, restored], .denied(.revoked), [:]),
        ("a restored copy alone", [restored], .granted(until: nil), ["hints": 5]),
    ]

    /// Whether the product's terms end access by any refund, the percentage that was refunded, and whether access
    /// stays.
    static let shares: [(PartialRefund?, Int, Bool)] = [
        (nil, 99_999, true), (.keep, 50_000, true), (.revoke, 1, false), (nil, 100_000, false), (.keep, 100_000, false),
        (.revoke, 0, false), (nil, 0, true),
    ]

    @Test(arguments: shares) func `A partial refund ends access to a non-consumable only if the terms say so`(
        setting: PartialRefund?, share: Int, stays: Bool
    ) {
        let terms = NonConsumable(partialRefund: setting)
        let transaction = bought("words", "1", on: Self.date, share: share)
        let entitlement = NonConsumable.entitlement(
            to: "words", by: [transaction], terms: terms, credits: ["hints": 10], at: Self.date)
        #expect(entitlement.access == (stays ? .granted(until: nil) : .denied(.revoked)))
        #expect(terms.isRevoked(transaction) == !stays)
        let left = [0: 10, 1: 10, 50_000: 5][share]
        #expect(entitlement.credits == (left.map { ["hints": $0] } ?? [:]))
    }

    @Test(arguments: cases) func `A non-consumable gives access as long as one purchase is not refunded`(
        name: String, transactions: [Transaction], access: Access, credits: Credits
    ) {
        let entitlement = NonConsumable.entitlement(
            to: "words", by: transactions, terms: NonConsumable(), credits: ["hints": 5], at: Self.date)
        #expect(entitlement == Entitlement(access: access, credits: credits), "\(name)")
    }
}
