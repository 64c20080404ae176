import Consumable
import Foundation
import InAppPurchase
import TestSupport
import Testing

@Suite struct ConsumableTests {
    static let first = bought("hints", "1", on: noon("2026-01-01"))
    static let second = bought("hints", "2", on: noon("2026-01-05"))
    static let refunded = bought("hints", "3", on: noon("2026-01-06"), revoked: true)
    static let other = bought("coins", "4", on: noon("2026-01-06"))

    static let accesses: [(String, [Transaction], Date, Access)] = [
        ("a day from the purchase", [first], noon("2026-01-01"), .granted(until: noon("2026-01-02"))),
        ("not at its end", [first], noon("2026-01-02"), .denied(.expired)),
        ("the latest purchase counts", [second, first], noon("2026-01-05"), .granted(until: noon("2026-01-06"))),
        ("a refunded one does not", [first, refunded], noon("2026-01-06"), .denied(.expired)),
        ("all refunded", [refunded], noon("2026-01-06"), .denied(.revoked)),
        ("nor that of another product", [first, other], noon("2026-01-06"), .denied(.expired)),
        ("bought ahead of our clock", [second], noon("2026-01-04"), .granted(until: noon("2026-01-06"))),
    ]

    @Test(arguments: accesses) func `The bundles of a consumable may be downloaded for a limited time`(
        name: String, transactions: [Transaction], date: Date, expected: Access
    ) {
        let terms = Consumable(bundles: ["a"])
        #expect(Consumable.entitlement(to: "hints", by: transactions, terms: terms, at: date).access == expected)
    }

    @Test(arguments: [nil, []] as [[BundleName]?])
    func `A consumable without bundles gives no access`(bundles: [BundleName]?) {
        let terms = Consumable(bundles: bundles)
        for (transaction, reason) in [(Self.first, DenialReason.consumed), (Self.refunded, .revoked)] {
            let entitlement = Consumable.entitlement(
                to: "hints", by: [transaction], terms: terms, at: noon("2026-01-01"))
            #expect(entitlement.access == .denied(reason))
        }
    }

    /// A partial refund leaves its bundles, unless the terms say otherwise, and takes that share of its credits.
    @Test(
        arguments: [
            (nil, 60_000, true), (.keep, 60_000, true), (.revoke, 60_000, false), (nil, 100_000, false),
        ] as [(PartialRefund?, Int, Bool)])
    func `A partial refund takes its share of the credits, and bundles only if the terms say so`(
        setting: PartialRefund?, share: Int, stays: Bool
    ) {
        let terms = Consumable(bundles: ["a"], partialRefund: setting)
        let entitlement = Consumable.entitlement(
            to: "hints", by: [bought("hints", "1", on: noon("2026-01-01"), quantity: 2, share: share)], terms: terms,
            credits: ["hints": 10, "coins": 1], at: noon("2026-01-01"))
        #expect(entitlement.access == (stays ? .granted(until: noon("2026-01-02")) : .denied(.revoked)))
        #expect(entitlement.credits == (share == 60_000 ? ["hints": 8, "coins": 1] : [:]))
    }

    /// The terms of the latest purchase apply.
    @Test func `The terms of the latest purchase apply`() {
        let history = PurchaseHistory(purchases: [
            Purchase(transaction: Self.first, terms: Consumable(bundles: ["a"], redownloadHours: 8760)),
            Purchase(transaction: Self.second, terms: Consumable(bundles: ["a"], redownloadHours: 48)),
        ])
        let access = Consumable.entitlement(to: "hints", given: history, at: noon("2026-01-06")).access
        #expect(access == .granted(until: noon("2026-01-07")))
    }

    static let earnings: [(String, [Transaction], Credits)] = [
        ("once per purchase", [first, second], ["hints": 20, "coins": 2]),
        ("a refund takes them back", [first, refunded], ["hints": 10, "coins": 1]),
        ("quantity", [bought("hints", "1", on: noon("2026-01-01"), quantity: 3)], ["hints": 30, "coins": 3]),
        ("another product's are not counted", [first, other], ["hints": 10, "coins": 1]),
        ("nothing is left", [refunded], [:]),
    ]

    @Test(arguments: earnings) func `A consumable earns credits by its quantity, unless it was refunded`(
        name: String, transactions: [Transaction], expected: Credits
    ) {
        let entitlement = Consumable.entitlement(
            to: "hints", by: transactions, terms: Consumable(), credits: ["hints": 10, "coins": 1],
            at: noon("2026-02-01"))
        #expect(entitlement.credits == expected, "\(name)")
    }

    @Test(arguments: [("{}", 24), (#"{"redownloadHours": 1}"#, 1), (#"{"redownloadHours": 87600}"#, 87_600)])
    func `The hours for downloads are read from the settings`(json: String, hours: Int) throws {
        #expect(try JSONDecoder().decode(Consumable.self, from: Data(json.utf8)).redownloadHours == hours)
    }

    @Test(arguments: ["0", "-1", "87601", "1.5", "1e30", "\"24\"", "[]"])
    func `Hours for downloads that are out of range are refused with their path`(hours: String) throws {
        let error = try #require(throws: DecodingError.self) {
            try JSONDecoder().decode([Consumable].self, from: Data(#"[{"redownloadHours": \#(hours)}]"#.utf8))
        }
        #expect(path(of: error) == ["Index 0", "redownloadHours"])
    }

    private func path(of error: DecodingError) -> [String] {
        switch error {
        case .dataCorrupted(let context), .typeMismatch(_, let context): context.codingPath.map(\.stringValue)
        default: []
        }
    }
}
