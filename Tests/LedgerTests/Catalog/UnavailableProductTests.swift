import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import TestSupport
import Testing

/// Reports of products that the store did not know are counted, and do not fill the ledger.
@Suite struct UnavailableProductTests {
    private static func report(
        _ products: [ProductID], from address: Int, on date: Date = today, of app: BundleID = "hangman",
        to ledger: TestLedger
    ) async throws {
        let address = Data("address \(address)".utf8)
        try await ledger.ledger.recordUnavailable(products, of: app, from: address, at: date)
    }

    private static func listed(_ ledger: TestLedger, of app: BundleID? = "hangman") async throws -> [String] {
        try await ledger.ledger.unavailableProducts(of: app)
            .map { "\($0.app) \($0.product) \($0.day - 20_454) \($0.addresses)" }
    }

    @Test(arguments: LedgerKind.allCases)
    func `An unavailable product is listed once three addresses reported it in one day`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        for address in 1...2 {
            for _ in 0..<3 { try await Self.report(["a", "b"], from: address, on: day(0), to: ledger) }
        }
        #expect(try await Self.listed(ledger) == [])
        try await Self.report(["a"], from: 3, on: day(0), to: ledger)
        try await Self.report(["b"], from: 3, on: day(1), to: ledger)
        #expect(try await Self.listed(ledger) == ["hangman a 0 3"])
        for address in 1...30 { try await Self.report(["b"], from: address, on: day(1), to: ledger) }
        #expect(try await Self.listed(ledger) == ["hangman b 1 20", "hangman a 0 3"])
        for address in 1...4 { try await Self.report(["a"], from: address, of: "chess", to: ledger) }
        // Those of today have pushed the first days out of what is listed.
        #expect(try await Self.listed(ledger, of: nil) == ["chess a 100 4"])
        #expect(try await ledger.differences() == [])
    }

    @Test(arguments: LedgerKind.allCases)
    func `Reports of unavailable products from old days are deleted`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        for number in 0..<60 {
            for address in 1...3 { try await Self.report(["a", "b"], from: address, on: day(number), to: ledger) }
        }
        let days = try await ledger.rows("SELECT count(DISTINCT day), count(*) FROM unavailableProducts")
        #expect(days == ["\(UnavailableProduct.storedDays) \(UnavailableProduct.storedDays * 6)"])
        #expect(try await Self.listed(ledger).first == "hangman a 59 3")
    }

    @Test(arguments: [LedgerKind.sqliteInMemory, .postgres])
    func `The reports of unavailable products of one day are limited`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        let products = (0..<100).map { ProductID(stored: "p\($0)") }
        for app in 0..<6 {
            for address in 0..<20 {
                try await Self.report(products, from: address, of: BundleID(stored: "app\(app)"), to: ledger)
            }
        }
        let rows = try await ledger.rows("SELECT count(*) FROM unavailableProducts")
        #expect(rows == ["\(UnavailableProduct.maximumRowsPerDay)"])
        try await Self.report(["p0"], from: 1, on: day(101), of: "app5", to: ledger)
        #expect(try await ledger.rows("SELECT count(*) FROM unavailableProducts") == ["10001"])
    }
}
