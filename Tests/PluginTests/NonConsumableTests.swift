import Foundation
import InAppPurchase
import NonConsumable
import Testing

@Suite struct NonConsumableTests {
    static let date = noon("2026-01-01")
    static let own = bought("words", "1", on: date)
    static let refunded = bought("words", "2", on: date, revoked: true)
    static let restored = bought("words", "5", line: "2", on: date)
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

    @Test(arguments: cases)
    func isKeptWhileOnePurchaseStands(name: String, transactions: [Transaction], access: Access, credits: Credits) {
        let entitlement = NonConsumable.entitlement(
            to: "words", by: transactions, terms: NonConsumable(), credits: ["hints": 5], at: Self.date)
        #expect(entitlement == Entitlement(access: access, credits: credits), "\(name)")
    }
}
