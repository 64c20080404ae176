import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import TestSupport
import Testing

/// Texts that differ after a zero byte stay apart, in every database.
@Suite struct TextTests {
    @Test(arguments: LedgerKind.allCases)
    func `Keys of spends that differ after a zero byte are different`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        #expect(try await ledger.spend(3, key: "k") == 7)
        #expect(try await ledger.spend(3, key: "k\0") == 4)
        #expect(try await ledger.spend(3, key: "k\0l") == 1)
        #expect(try await ledger.spend(3, key: "k\0") == 4)
    }

    /// Nobody has such a currency: its name with a zero byte is not `hints`.
    @Test(arguments: LedgerKind.allCases)
    func `A currency with a zero byte in its name is another currency`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        let before = try await ledger.everything()
        await #expect(throws: LedgerRefusal.insufficientBalance) { try await ledger.spend(1, "hints\0", key: "k") }
        #expect(try await ledger.everything() == before)
    }

    @Test(arguments: LedgerKind.allCases)
    func `A receipt ID with a zero byte is another receipt's`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        let (id, context) = (receipt("a").id, try ledger.context())
        #expect(try await ledger.ledger.receipt(id, of: account(1), in: context)?.receipt == id)
        for more in ["\0", "\0\nforged", "\n"] {
            #expect(try await ledger.ledger.receipt(id + more, of: account(1), in: context) == nil)
        }
    }

    /// A purchase of a product that nobody sells is no refund, and no purchase of another product.
    @Test(arguments: LedgerKind.allCases)
    func `Product IDs that differ after a zero byte are different`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("a"), bought("hints", "1"))
        try await ledger.record(receipt("b"), bought("hints\0", "2"))
        try await ledger.record(receipt("c"), bought("words\0x", "3"))
        #expect(try await ledger.spend(10, key: "k") == 0)
        _ = try await ledger.ledger.checkAccounts(at: today) { Issue.record("\($0)") }
        let report = try await ledger.ledger.accountReport(
            of: account(1), after: nil, limit: 9, in: try ledger.context())
        #expect(
            Set(report?.transactions.entries.map(\.transaction.productID) ?? []) == ["hints", "hints\0", "words\0x"])
    }

    /// Recorded names are read, though no catalog may have them today.
    @Test func `Stored terms with names that are invalid today are read`() throws {
        var terms = try #require(try catalog().product("words", of: "hangman"))
        terms.bundles = ["words\0"]
        let encoded = try JSONEncoder().encode(terms)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Product.self, from: encoded, configuration: standardHandlers)
        }
        let decoder = JSONDecoder()
        decoder.userInfo[try #require(CodingUserInfoKey.isStoredTerms)] = true
        #expect(try decoder.decode(Product.self, from: encoded, configuration: standardHandlers).bundles == ["words\0"])
    }
}
