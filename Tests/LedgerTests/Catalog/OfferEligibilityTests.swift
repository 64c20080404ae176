import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// The accounts that are eligible for the offers of a subscription, from what is recorded.
@Suite struct OfferEligibilityTests {
    private static func month(
        _ id: TransactionID, _ product: ProductID = "club.month",
        _ environment: InAppPurchase.Environment = .production, app: BundleID = "hangman", on date: Date = day(30),
        revoked: Date? = nil,
        ownershipType: Transaction.OwnershipType = .purchased, isTrial: Bool? = nil, isSigned: Bool = true
    ) -> Transaction {
        var copy = bought(
            product, id, app: app, environment, on: date, until: date + 30 * 86_400, revoked: revoked,
            ownershipType: ownershipType, isSigned: isSigned)
        copy.details = PurchaseDetails()
        copy.details?.isTrialPeriod = isTrial
        return copy
    }

    /// The purchases of account 1, and what follows: subscription, whether it may use the introductory offer, customer.
    static let table: [(copies: [Transaction], expected: OfferEligibility)] = [
        ([], .init(subscription: nil, mayUseIntroductoryOffer: true, customer: nil)),
        ([bought("hints", "1")], .init(subscription: nil, mayUseIntroductoryOffer: true, customer: "1")),
        ([month("1")], .init(subscription: "1", mayUseIntroductoryOffer: true, customer: "1")),
        (
            [month("1"), month("2", on: day(60))],
            .init(subscription: "2", mayUseIntroductoryOffer: true, customer: "2")
        ),
        ([month("1", "club.year")], .init(subscription: "1", mayUseIntroductoryOffer: true, customer: "1")),
        ([month("1", isTrial: true)], .init(subscription: "1", mayUseIntroductoryOffer: false, customer: "1")),
        ([month("1", isSigned: false)], .init(subscription: "1", mayUseIntroductoryOffer: false, customer: "1")),
        (
            [month("1", revoked: day(40), isTrial: true)],
            .init(subscription: nil, mayUseIntroductoryOffer: false, customer: "1")
        ),
        (
            [month("1", ownershipType: .familyShared)],
            .init(subscription: nil, mayUseIntroductoryOffer: true, customer: nil)
        ),
        ([month("1", "club.month", .sandbox)], .init(subscription: nil, mayUseIntroductoryOffer: true, customer: nil)),
        ([month("1", app: "chess")], .init(subscription: nil, mayUseIntroductoryOffer: true, customer: nil)),
    ]

    @Test("Eligibility for offers follows from the recorded purchases", arguments: LedgerKind.allCases)
    func eligibilityForOffersFollowsFromTheRecordedPurchases(kind: LedgerKind) async throws {
        let product = try #require(try catalog().product("club.month", of: "hangman"))
        let scope = Scope(app: "hangman", environment: .production)
        for (copies, expected) in Self.table {
            let ledger = try kind.open()
            try await ledger.join(1, 2)
            for copy in copies { try await ledger.record(receipt("\(copy.id)"), copy) }
            func eligibility(of digit: UInt8) async throws -> OfferEligibility {
                try await ledger.ledger.offerEligibility(
                    of: account(digit), for: product, in: scope, ledger.context())
            }
            let (own, others) = (try await eligibility(of: 1), try await eligibility(of: 2))
            #expect(own == expected, "\(copies)")
            #expect(others == .init(subscription: nil, mayUseIntroductoryOffer: true, customer: nil))
            try await ledger.show(receipt("none"), appTransaction(nil))
            try await ledger.show(receipt("other"), appTransaction("600", .sandbox))
            #expect(try await eligibility(of: 1).customer == expected.customer)
            try await ledger.show(receipt("app"), appTransaction("700"))
            let customer = try await eligibility(of: 1).customer
            #expect(customer == expected.customer ?? "700")
        }
    }

    /// A subscription that was transferred counts for its new owner alone.
    @Test("Eligibility for offers follows the owner of a subscription", arguments: LedgerKind.allCases)
    func eligibilityForOffersFollowsTheOwnerOfASubscription(kind: LedgerKind) async throws {
        let product = try #require(try catalog().product("club.month", of: "hangman"))
        let (ledger, scope) = (try kind.open(), Scope(app: "hangman", environment: .production))
        try await ledger.join(1, 2)
        try await ledger.record(receipt("a"), Self.month("1", isTrial: true))
        try await ledger.move("1", to: 2)
        for (digit, expected) in [
            (1, OfferEligibility(subscription: nil, mayUseIntroductoryOffer: true, customer: nil)),
            (2, OfferEligibility(subscription: "1", mayUseIntroductoryOffer: false, customer: "1")),
        ] as [(UInt8, OfferEligibility)] {
            let found = try await ledger.ledger.offerEligibility(
                of: account(digit), for: product, in: scope, ledger.context())
            #expect(found == expected, "\(digit)")
        }
    }
}
