import Foundation
import InAppPurchase
import StrictJSON
import TestSupport
import Testing

@testable import LedgerSQL

/// The texts written by hand are, byte for byte, those of Foundation's encoder.
@Suite struct StoredJSONTests {
    private static let encoder = {
        let encoder = JSONEncoder.canonical
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(date.milliseconds)
        }
        return encoder
    }()

    private func encoded(_ value: some Encodable) throws -> String {
        String(decoding: try Self.encoder.encode(value), as: UTF8.self)
    }

    private func value(_ depth: Int, using random: inout SeededGenerator) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .integer(Int.random(in: -1_000...1_000, using: &random))
        case 3: .integer([Int.min, Int.max, 1 << 53, 0].randomElement(using: &random) ?? 0)
        case 4: .number([0.5, -1e300, 1e-7, 3, 0.1].randomElement(using: &random) ?? 0)
        case 5: .string(RandomFacts.texts.randomElement(using: &random) ?? "")
        case 6: .array((0..<Int.random(in: 0..<4, using: &random)).map { _ in value(depth - 1, using: &random) })
        default: .object(object(depth - 1, using: &random))
        }
    }

    private func object(_ depth: Int, using random: inout SeededGenerator) -> [String: JSONValue] {
        let names = ["a", "B", "b", "ab", "aB", "a1", "A", "z", "kind", "é", "a b", "", "a-b", "Z9", "10", "9"]
        return (0..<Int.random(in: 0..<6, using: &random)).reduce(into: [:]) { object, _ in
            object[names.randomElement(using: &random) ?? ""] = value(depth, using: &random)
        }
    }

    @Test func `The content of audit rows is written as Foundation writes it`() throws {
        var random = SeededGenerator(seed: 11)
        var plain = 0
        for _ in 0..<5_000 {
            let object = object(3, using: &random)
            if object.arePlain { plain += 1 }
            #expect(try JSON.encode(object) == encoded(object))
        }
        #expect((500..<4_500).contains(plain), "both ways of writing are tried")
    }

    /// Each member is present or absent by chance; a member that is added to one of the types must be added here.
    @Test func `Facts are written as Foundation writes them`() throws {
        var random = SeededGenerator(seed: 12)
        #expect(Mirror(reflecting: RandomFacts.transaction(using: &random)).children.count == 19)
        #expect(Mirror(reflecting: PurchaseDetails()).children.count == 18)
        #expect(Mirror(reflecting: PurchaseOffer()).children.count == 4)
        #expect(Mirror(reflecting: SeatDetails()).children.count == 2)
        #expect(Mirror(reflecting: CommitmentDetails()).children.count == 4)
        #expect(Mirror(reflecting: RevocationDetails(date: .distantPast)).children.count == 3)
        #expect(Mirror(reflecting: Transaction.Revocation(date: .distantPast)).children.count == 3)
        let facts = FactsCodec()
        for _ in 0..<3_000 {
            let transaction = RandomFacts.transaction(using: &random)
            let text = facts.encode(transaction)
            #expect(text == (try encoded(transaction)))
            #expect(try FactsCodec().decode(text) == transaction)
        }
    }

    /// A row's columns and the rest of its facts make the transaction, and so does the row of an earlier version, whose
    /// facts are whole.
    @Test func `A transaction is read from columns and the rest of its facts`() throws {
        var random = SeededGenerator(seed: 13)
        let (facts, columns) = (FactsCodec(), TransactionColumns.init(_:))
        for _ in 0..<3_000 {
            let transaction = RandomFacts.transaction(using: &random)
            let (whole, rest) = (facts.encode(transaction), facts.encodeRest(of: transaction))
            #expect(!FactsCodec.isWhole(rest) && rest.utf8.count < whole.utf8.count)
            #expect(try FactsCodec().decode(rest, columns(transaction)) == transaction)
            #expect(try FactsCodec().decode(whole, columns(transaction)) == transaction)
            // Of equal texts, those of the row's own columns are used.
            var other = columns(transaction)
            other.productID = "another"
            #expect(try facts.decode(rest, other).productID == "another")
        }
    }

    /// Members that have the usual value, or are those of columns, take no room.
    @Test func `Facts with their usual value are left out`() throws {
        let transaction = Transaction(
            id: "2000000123456789", originalID: "2000000123456789", app: "com.example.hangman",
            environment: .production, productID: "hints", productType: .consumable, purchaseDate: day(1),
            originalPurchaseDate: day(1), signedDate: day(2), isSigned: true)
        #expect(
            FactsCodec().encodeRest(of: transaction)
                == #"{"productType":"consumable","signedDate":\#(day(2).milliseconds)}"#)
        var unsigned = transaction
        (unsigned.isSigned, unsigned.quantity, unsigned.originalPurchaseDate) = (false, 2, nil)
        #expect(
            FactsCodec().encodeRest(of: unsigned)
                == #"{"isSigned":false,"originalPurchaseDate":null,"productType":"consumable","quantity":2,"#
                + #""signedDate":\#(day(2).milliseconds)}"#)
    }
}
