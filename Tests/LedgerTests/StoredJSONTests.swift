import Basics
import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import LedgerSQL

/// The texts that are written by hand are, byte for byte, those of Foundation's encoder.
@Suite struct StoredJSONTests {
    private static let texts = [
        "", "a", "with \"quotes\"", "back\\slash", "a/b", "\u{7F}", "é", "日本", "😀", "e\u{301}", "\u{2028}", "\u{FEFF}",
        "</script>", "\u{10FFFF}", (UInt8(0)..<0x20).map { String(UnicodeScalar($0)) }.joined(),
    ]

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
        case 5: .string(Self.texts.randomElement(using: &random) ?? "")
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

    @Test func contentsOfTheTrail() throws {
        var random = SeededGenerator(seed: 11)
        var plain = 0
        for _ in 0..<5_000 {
            let object = object(3, using: &random)
            if object.arePlain { plain += 1 }
            #expect(try JSON.encode(object) == encoded(object))
        }
        #expect((500..<4_500).contains(plain), "both ways of writing are tried")
    }

    /// Each member present or absent, by chance; a member that is added to one of the types must be added here.
    @Test func facts() throws {
        var random = SeededGenerator(seed: 12)
        #expect(Mirror(reflecting: transaction(using: &random)).children.count == 19)
        #expect(Mirror(reflecting: PurchaseDetails()).children.count == 14)
        #expect(Mirror(reflecting: PurchaseOffer()).children.count == 4)
        #expect(Mirror(reflecting: RevocationDetails(date: .distantPast)).children.count == 3)
        #expect(Mirror(reflecting: Transaction.Revocation(date: .distantPast)).children.count == 3)
        let facts = FactsCodec()
        for _ in 0..<3_000 {
            let transaction = transaction(using: &random)
            let text = facts.encode(transaction)
            #expect(text == (try encoded(transaction)))
            #expect(try FactsCodec().decode(text) == transaction)
        }
    }

    private func transaction(using random: inout SeededGenerator) -> Transaction {
        func maybe<Value>(_ value: Value, using random: inout SeededGenerator) -> Value? {
            Bool.random(using: &random) ? value : nil
        }
        func text(using random: inout SeededGenerator) -> String { Self.texts.randomElement(using: &random) ?? "" }
        func date(using random: inout SeededGenerator) -> Date {
            Date(milliseconds: Int.random(in: -1_000_000...4_000_000_000_000, using: &random))
        }
        var transaction = Transaction(
            id: TransactionID(stored: text(using: &random)), originalID: TransactionID(stored: text(using: &random)),
            app: BundleID(stored: text(using: &random)), environment: .sandbox,
            productID: ProductID(stored: text(using: &random)),
            productType: maybe(ProductType(rawValue: text(using: &random)), using: &random),
            quantity: Int.random(in: 1...100, using: &random), purchaseDate: date(using: &random),
            originalPurchaseDate: maybe(date(using: &random), using: &random),
            expirationDate: maybe(date(using: &random), using: &random), isUpgraded: Bool.random(using: &random),
            ownershipType: Transaction.OwnershipType(rawValue: text(using: &random)),
            appAccountToken: maybe(account(UInt8.random(in: 0...255, using: &random)).uuid, using: &random),
            subscriptionGroupID: maybe(text(using: &random), using: &random), signedDate: date(using: &random),
            isSigned: Bool.random(using: &random))
        if Bool.random(using: &random) {
            transaction.revocation = Transaction.Revocation(
                date: date(using: &random), reason: maybe(1, using: &random),
                percentage: maybe(50_000, using: &random))
        }
        guard Bool.random(using: &random) else { return transaction }
        var details = PurchaseDetails()
        details.price = maybe(Int.random(in: -5...5_000, using: &random), using: &random)
        details.isTrialPeriod = maybe(Bool.random(using: &random), using: &random)
        details.isIntroductoryPeriod = maybe(Bool.random(using: &random), using: &random)
        for member: WritableKeyPath<PurchaseDetails, String?> in [
            \.currency, \.storefront, \.storefrontID, \.reason, \.webOrderLineItemID, \.appTransactionID, \.appVersion,
            \.originalAppVersion, \.orderID,
        ] { details[keyPath: member] = maybe(text(using: &random), using: &random) }
        if Bool.random(using: &random) {
            details.offer = PurchaseOffer(
                type: maybe(1, using: &random), id: maybe(text(using: &random), using: &random),
                discountType: maybe(text(using: &random), using: &random),
                period: maybe(text(using: &random), using: &random))
        }
        if Bool.random(using: &random) {
            details.revocation = RevocationDetails(
                date: date(using: &random), reason: maybe(0, using: &random),
                type: maybe(text(using: &random), using: &random))
        }
        transaction.details = details
        // Two copies that differ leave the dates on which each member was stated.
        guard Bool.random(using: &random) else { return transaction }
        var older = transaction
        older.signedDate = date(using: &random)
        older.revocation = nil
        transaction.merge(older)
        return transaction
    }
}
