import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// A free trial earns the credits of its product unless the catalog withholds them.
@Suite struct TrialCreditsTests {
    private static func catalog(_ setting: String?) throws -> Catalog {
        let opening = #""id": "club.month", "type": "auto-renewable","#
        return try LedgerTests.catalog(
            shop.replacing(opening, with: opening + (setting.map { #" "trialCredits": "\#($0)","# } ?? "")))
    }

    /// Every way of saying that a period is a trial, and ways of saying that it is not.
    static let statements: [(text: String, isTrial: Bool, details: @Sendable (inout PurchaseDetails) -> Void)] = [
        ("FREE_TRIAL", true, { $0.offer = PurchaseOffer(type: 2, discountType: "FREE_TRIAL") }),
        ("is_trial_period", true, { $0.isTrialPeriod = true }),
        ("introductory, price 0", true, { ($0.offer, $0.price) = (PurchaseOffer(type: 1), 0) }),
        ("introductory, paid", false, { ($0.offer, $0.price) = (PurchaseOffer(type: 1), 990) }),
        ("offer code, price 0", false, { ($0.offer, $0.price) = (PurchaseOffer(type: 3), 0) }),
        ("no trial period", false, { $0.isTrialPeriod = false }),
        ("paid", false, { $0.price = 4_990 }),
        ("nothing", false, { _ in }),
    ]

    /// The first copy says nothing about a trial and a later one does, in either order and twice.
    @Test(arguments: LedgerKind.allCases, statements.map(\.text))
    func `The terms decide whether a trial earns credits`(kind: LedgerKind, statement: String) async throws {
        let found = try #require(Self.statements.first { $0.text == statement })
        for (setting, withholds) in [(nil, false), ("grant", false), ("withhold", true)] as [(String?, Bool)] {
            let catalog = try Self.catalog(setting)
            let plain = bought("club.month", "1", on: day(60), until: day(90))
            var stating = plain
            var details = PurchaseDetails()
            found.details(&details)
            (stating.details, stating.signedDate) = (details, plain.signedDate + 60)
            let paid = bought("club.month", "2", original: "1", on: day(90), until: day(120))
            for order in [[plain, stating, paid], [stating, paid, plain], [paid, plain, stating, plain, stating]] {
                let ledger = try kind.open()
                try await ledger.join(1)
                for (number, copy) in order.enumerated() {
                    try await ledger.record(receipt("\(number)"), copy, in: catalog)
                }
                let balances = try await ledger.ledger.balances(
                    of: account(1), scope: Scope(app: "hangman", environment: .production),
                    in: RecordingContext(catalog: catalog, date: today))
                #expect(balances["gems"] == (withholds && found.isTrial ? 7 : 14), "\(setting ?? "-")")
                #expect(try await ledger.differences() == [])
            }
        }
    }

    /// A refund of a trial that earned nothing takes nothing.
    @Test(arguments: LedgerKind.allCases)
    func `A refund of a trial that earned nothing takes nothing`(kind: LedgerKind) async throws {
        let (ledger, catalog) = (try kind.open(), try Self.catalog("withhold"))
        try await ledger.join(1)
        var trial = bought("club.month", "1", on: day(90), until: day(120), revoked: day(95))
        trial.details = PurchaseDetails()
        trial.details?.isTrialPeriod = true
        try await ledger.record(receipt("a"), trial, in: catalog)
        #expect(try await ledger.rows("SELECT * FROM postings") == [])
        #expect(try await ledger.rows("SELECT * FROM refunds") == [])
        #expect(try await ledger.differences() == [])
    }
}
