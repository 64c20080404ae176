import Foundation
import InAppPurchase
import TestSupport
import Testing

@Suite struct PurchaseHistoryTests {
    struct Terms: Sendable {}

    static let refund = Transaction.Revocation(date: day(9))

    static func history(_ transactions: [Transaction], credits: Credits = ["hints": 10]) -> PurchaseHistory<Terms> {
        PurchaseHistory(purchases: transactions.map { Purchase(transaction: $0, terms: Terms(), credits: credits) })
    }

    /// Transactions, the IDs that are in the history in order, and the hints earned.
    static let cases: [(String, [Transaction], [TransactionID], Int)] = [
        ("nothing", [], [], 0),
        ("oldest first", [purchase(id: "1", on: day(3)), purchase(id: "2", on: day(1))], ["2", "1"], 20),
        ("of one date by ID", [purchase(id: "2"), purchase(id: "1")], ["1", "2"], 20),
        ("quantity counts", [purchase(quantity: 3)], ["1"], 30),
        ("refunds give nothing", [purchase(id: "1", revocation: refund), purchase(id: "2")], ["1", "2"], 10),
        (
            "refunds of a share take that share of all units",
            [purchase(quantity: 3, revocation: .init(date: day(9), percentage: 33_333))], ["1"], 20
        ),
        ("family shares give nothing", [purchase(ownershipType: .familyShared)], ["1"], 0),
        ("other products give nothing", [purchase("coins", id: "1"), purchase(id: "2")], ["1", "2"], 10),
        ("restored copies are one", [purchase(id: "1"), purchase(id: "5", originalID: "1", on: day(4))], ["1"], 10),
        (
            "copies without the original are one",
            [purchase(id: "7", originalID: "1"), purchase(id: "5", originalID: "1")], ["5"], 10
        ),
        (
            "revoking the original revokes its copies",
            [purchase(id: "1", revocation: refund), purchase(id: "5", originalID: "1", on: day(4))], ["1"], 0
        ),
        (
            "renewals are purchases of their own",
            [
                purchase(id: "1", on: day(0), expirationDate: day(1)),
                purchase(id: "2", originalID: "1", on: day(1), expirationDate: day(2)),
            ], ["1", "2"], 20
        ),
    ]

    @Test(arguments: cases) func `A history has each purchase once, in order, and counts its credits`(
        name: String, transactions: [Transaction], ids: [TransactionID], hints: Int
    ) {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<10 {
            let history = Self.history(transactions.shuffled(using: &generator))
            #expect(history.purchases.map(\.transaction.id) == ids, "\(name)")
            #expect(history.credits(of: "hints")["hints", default: 0] == hints, "\(name)")
        }
    }

    @Test func `Several currencies are counted separately`() {
        let transactions = [purchase(id: "1", quantity: 2), purchase(id: "2")]
        let history = Self.history(transactions, credits: ["hints": 5, "coins": 1])
        #expect(history.credits(of: "hints") == ["hints": 15, "coins": 3])
    }

    @Test func `The largest amounts of credits do not overflow`() {
        let most = purchase(id: "1", quantity: .max)
        let history = Self.history([most, purchase(id: "2", quantity: .max)], credits: ["hints": 1_000_000_000])
        #expect(history.credits(of: "hints") == ["hints": .max])
    }
}
