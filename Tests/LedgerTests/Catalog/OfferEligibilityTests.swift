import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import LedgerPostgres
@testable import LedgerSQL
@testable import LedgerSQLite

/// The accounts that are eligible for the offers of a subscription, from what is recorded.
@Suite struct OfferEligibilityTests {
    private static func month(
        _ id: TransactionID, _ product: ProductID = "club.month",
        _ environment: InAppPurchase.Environment = .production, app: BundleID = "hangman", on date: Date = day(30),
        revoked: Date? = nil, ownershipType: Transaction.OwnershipType = .purchased, isTrial: Bool? = nil,
        isSigned: Bool = true, by customer: String? = nil
    ) -> Transaction {
        var copy = bought(
            product, id, app: app, environment, on: date, until: date + 30 * 86_400, revoked: revoked,
            ownershipType: ownershipType, isSigned: isSigned)
        copy.details = PurchaseDetails()
        copy.details?.isTrialPeriod = isTrial
        copy.details?.appTransactionID = customer
        return copy
    }

    /// The purchases of account 1, and what follows: subscription, and whether it may use the introductory offer.
    static let table: [(copies: [Transaction], expected: OfferEligibility)] = [
        ([], .init(subscription: nil, mayUseIntroductoryOffer: true, customer: nil)),
        ([bought("hints", "1")], .init(subscription: nil, mayUseIntroductoryOffer: true, customer: nil)),
        ([month("1")], .init(subscription: "1", mayUseIntroductoryOffer: true, customer: nil)),
        ([month("1", by: "600")], .init(subscription: "1", mayUseIntroductoryOffer: true, customer: "600")),
        (
            [month("1", by: "600"), month("2", on: day(60), by: "600")],
            .init(subscription: "2", mayUseIntroductoryOffer: true, customer: "600")
        ),
        ([month("1", "club.year")], .init(subscription: "1", mayUseIntroductoryOffer: true, customer: nil)),
        ([month("1", isTrial: true)], .init(subscription: "1", mayUseIntroductoryOffer: false, customer: nil)),
        (
            [month("1", "club.year", isTrial: true, by: "600")],
            .init(subscription: "1", mayUseIntroductoryOffer: false, customer: "600")
        ),
        ([month("1", isSigned: false)], .init(subscription: "1", mayUseIntroductoryOffer: false, customer: nil)),
        (
            [month("1", revoked: day(40), isTrial: true)],
            .init(subscription: nil, mayUseIntroductoryOffer: false, customer: nil)
        ),
        (
            [month("1", ownershipType: .familyShared, isTrial: true, by: "600")],
            .init(subscription: nil, mayUseIntroductoryOffer: true, customer: "600")
        ),
        ([month("1", "club.month", .sandbox)], .init(subscription: nil, mayUseIntroductoryOffer: true, customer: nil)),
        ([month("1", app: "chess")], .init(subscription: nil, mayUseIntroductoryOffer: true, customer: nil)),
    ]

    private static let scope = Scope(app: "hangman", environment: .production)

    private static func eligibility(
        _ ledger: TestLedger, of digit: UInt8, in scope: Scope = scope, on date: Date = today
    ) async throws -> OfferEligibility {
        let product = try #require(try catalog().product("club.month", of: "hangman"))
        var found = try await ledger.ledger.offerEligibility(
            of: account(digit), for: product, in: scope, ledger.context(on: date))
        found.isActive = false
        return found
    }

    @Test(arguments: LedgerKind.allCases)
    func `Eligibility for offers follows from the recorded purchases`(kind: LedgerKind) async throws {
        for (copies, expected) in Self.table {
            let ledger = try kind.open()
            try await ledger.join(1, 2)
            for copy in copies { try await ledger.record(receipt("\(copy.id)", kind: .signedTransaction), copy) }
            let (own, others) = (try await Self.eligibility(ledger, of: 1), try await Self.eligibility(ledger, of: 2))
            #expect(own == expected, "\(copies)")
            #expect(others == .init(subscription: nil, mayUseIntroductoryOffer: true, customer: nil))
            try await ledger.show(receipt("none"), appTransaction(nil))
            try await ledger.show(receipt("other"), appTransaction("650", .sandbox))
            #expect(try await Self.eligibility(ledger, of: 1).customer == expected.customer)
            try await ledger.show(receipt("app"), appTransaction("700", signed: day(99)))
            #expect(try await Self.eligibility(ledger, of: 1).customer == "700")
        }
    }

    /// Whoever owns, or owned, the periods, and if nobody does.
    @Test(arguments: LedgerKind.allCases)
    func `A used introductory offer is the customer's`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3)
        try await ledger.record(receipt("a"), Self.month("1", isTrial: true, by: "600"))
        try await ledger.receive(notification("n", Self.month("5", isTrial: true, by: "601")))
        func mayUse() async throws -> [Bool] {
            var answers: [Bool] = []
            for digit: UInt8 in [1, 2, 3] {
                answers.append(try await Self.eligibility(ledger, of: digit).mayUseIntroductoryOffer)
            }
            return answers
        }
        for (digit, customer): (UInt8, String) in [(1, "600"), (2, "600"), (3, "601")] {
            try await ledger.show(receipt("\(customer) \(digit)", by: digit), appTransaction(customer))
        }
        #expect(try await mayUse() == [false, false, false])
        try await ledger.move("1", to: 2)
        #expect(try await mayUse() == [false, false, false])
        for digit: UInt8 in [1, 2, 3] {
            try await ledger.show(receipt("new \(digit)", by: digit), appTransaction("602", signed: day(98)))
        }
        #expect(try await mayUse() == [true, true, true])
    }

    /// In Xcode every customer may have the same ID, or none.
    @Test(arguments: LedgerKind.allCases) func `In Xcode the account decides`(kind: LedgerKind) async throws {
        let (ledger, xcode) = (try kind.open(), Scope(app: "hangman", environment: .xcode))
        try await ledger.join(1, 2)
        for (digit, id): (UInt8, TransactionID) in [(1, "1"), (2, "2")] {
            let month = Self.month(id, "club.month", .xcode, isTrial: digit == 1, by: "0")
            try await ledger.record(receipt("\(id)", by: digit), month)
        }
        let (first, second) = (
            try await Self.eligibility(ledger, of: 1, in: xcode, on: day(300)),
            try await Self.eligibility(ledger, of: 2, in: xcode, on: day(300))
        )
        #expect(first == .init(subscription: "1", mayUseIntroductoryOffer: false, customer: "1"))
        #expect(second == .init(subscription: "2", mayUseIntroductoryOffer: true, customer: "2"))
    }

    /// A period that a sandbox reset forgot does not count until it is shown again.
    @Test(arguments: LedgerKind.allCases)
    func `A trial that was forgotten does not count`(kind: LedgerKind) async throws {
        let (ledger, sandbox) = (try kind.open(), Scope(app: "hangman", environment: .sandbox))
        try await ledger.join(1)
        let trial = Self.month("1", "club.month", .sandbox, isTrial: true, by: "600")
        try await ledger.record(receipt("a"), trial)
        try await ledger.show(receipt("app"), appTransaction("600", .sandbox))
        #expect(try await !Self.eligibility(ledger, of: 1, in: sandbox).mayUseIntroductoryOffer)
        _ = try await ledger.ledger.resetSandbox(of: account(1), app: nil, try act(), in: try ledger.context())
        #expect(try await Self.eligibility(ledger, of: 1, in: sandbox).mayUseIntroductoryOffer)
        try await ledger.record(receipt("b"), trial)
        #expect(try await !Self.eligibility(ledger, of: 1, in: sandbox).mayUseIntroductoryOffer)
    }

    /// Periods from before their table, whole and in columns, claimed or not.
    @Test(arguments: LedgerKind.allCases)
    func `Earlier periods with an offer are found by the migration`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        var strange = Self.month("3", isTrial: true, by: "602")
        strange.details?.offer = PurchaseOffer(type: 2, id: #"o\u{0}"appTransactionID":"7"#)
        try await ledger.record(
            receipt("a"), Self.month("1", isTrial: true, by: "600"), Self.month("2", "club.year", by: "601"), strange)
        try await ledger.receive(notification("n", Self.month("5", isTrial: true, by: "603")))
        let periods = "SELECT appTransactionID, id FROM offerPeriods ORDER BY appTransactionID"
        let before = try await ledger.rows(periods)
        #expect(before == ["600 1", "602 3", "603 5"])
        let sql = try #require(ledger.ledger as? SQLLedger)
        let script = kind == .postgres ? SchemaVersion28.offerPeriodsBefore : Schema.offerPeriodsBefore
        for whole in [false, true] {
            if whole, kind != .postgres { try await sql.storeWholeFacts() }
            try await sql.database.write { db in
                try db.run("DELETE FROM offerPeriods", [])
                for statement in script.split(separator: ";\n") { try db.run("\(statement)", []) }
            }
            #expect(try await ledger.rows(periods) == before)
        }
    }
}
