import Foundation
import InAppPurchase
import Ledger
import LedgerPostgres
import PostgresSupport
import TestSupport
import Testing

/// An app transaction of the customer with this ID, who first obtained the version on day 10.
func appTransaction(
    _ id: String?, app: BundleID = "hangman", _ environment: InAppPurchase.Environment = .production,
    version: String = "1.0", installed: String? = nil, signed: Date = day(91)
) -> AppTransaction {
    AppTransaction(
        id: id, app: app, environment: environment, originalPurchaseDate: day(10), originalAppVersion: version,
        appVersion: installed.map { AppVersion(app: app, text: $0, externalID: 812_345_678) }, signedDate: signed)
}

extension TestLedger {
    /// Records a receipt that is an app transaction.
    func show(_ receipt: Receipt, _ shown: AppTransaction, on date: Date = today) async throws {
        let verified = VerifiedReceipt(transactions: [], appTransaction: shown, appVersion: shown.appVersion)
        let answer = try await ledger.record(receipt, .success(verified), in: try context(on: date))
        #expect(answer.status == .verified && answer.transactions.isEmpty)
    }

    /// The account's app transactions, newest first: ID, version, when it was shown, and whether it was the first.
    fileprivate func appTransactions(of digit: UInt8, limit: Int = 9) async throws -> Newest<String> {
        let report = try #require(
            try await ledger.accountReport(of: account(digit), after: nil, limit: limit, in: try context()))
        let shown = report.appTransactions
        var texts = Newest(
            shown.entries.map { shown in
                let transaction = shown.transaction
                #expect(transaction.originalPurchaseDate == day(10))
                return "\(transaction.app) \(transaction.environment) \(transaction.id ?? "-") "
                    + "\(transaction.originalAppVersion) \(transaction.signedDate == day(92) ? "new" : "old") "
                    + "\(shown.date == today ? "today" : "later") \(shown.isFirst)"
            }, limit: limit)
        texts.isTruncated = shown.isTruncated
        return texts
    }
}

/// The proof that a customer obtained the app is recorded for the account that shows it.
@Suite struct AppTransactionTests {
    @Test(arguments: LedgerKind.allCases)
    func `App transactions are recorded, and who showed an ID first`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        try await ledger.show(receipt("a"), appTransaction("700"))
        try await ledger.show(receipt("a"), appTransaction("700"), on: day(101))
        try await ledger.show(receipt("b", by: 2), appTransaction("700"))
        try await ledger.show(receipt("c", by: 2), appTransaction("700", .sandbox), on: day(101))
        try await ledger.show(receipt("d", by: 2), appTransaction("700", app: "chess"), on: day(102))
        #expect(try await ledger.appTransactions(of: 1).entries == ["hangman Production 700 1.0 old today true"])
        let others = try await ledger.appTransactions(of: 2)
        #expect(
            others.entries == [
                "chess Production 700 1.0 old later true", "hangman Sandbox 700 1.0 old later true",
                "hangman Production 700 1.0 old today false",
            ])
        #expect(!others.isTruncated)
        let some = try await ledger.appTransactions(of: 2, limit: 2)
        #expect(some.isTruncated && some.entries == Array(others.entries.prefix(2)))
        #expect(try await ledger.differences() == [])
    }

    /// In whatever order the copies come.
    @Test(arguments: LedgerKind.allCases, [false, true])
    func `The newest copy of an app transaction counts`(kind: LedgerKind, isReversed: Bool) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let copies = [appTransaction("700"), appTransaction("700", version: "1.1", signed: day(92))]
        for (number, copy) in (isReversed ? copies.reversed() : copies).enumerated() {
            try await ledger.show(receipt("\(number)"), copy, on: day(100 + number))
        }
        #expect(try await ledger.appTransactions(of: 1).entries == ["hangman Production 700 1.1 new today true"])
    }

    /// It states no version itself, and an app transaction takes a question: only where the app's entry asks for it.
    @Test(arguments: LedgerKind.allCases, [nil, #"{}"#, #"{"minimum": "3"}"#])
    func `A signed purchase is of the version of the app transaction that was shown`(
        kind: LedgerKind, versions: String?
    ) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let opening = #""bundleID": "hangman","#
        let text = versions.map { shop.replacing(opening, with: "\(opening) \"receiptVersions\": \($0),") } ?? shop
        let sold = try catalog(text)
        try await ledger.show(receipt("a"), appTransaction("700", installed: "3.1", signed: day(92)))
        try await ledger.show(receipt("b"), appTransaction(nil, installed: "2.5"))
        try await ledger.record(receipt("c"), bought("hints", "1"), in: sold)
        try await ledger.record(receipt("d"), bought("hints", "2", app: "chess"), in: sold)
        let query = try #require(ReportQuery(.purchases, by: .version, from: day(0), to: day(101), app: "hangman"))
        let report = try await ledger.ledger.report(query, at: today)
        #expect(report.rows.mapValues { $0[.purchases] } == [(versions == nil ? "unknown" : "3.1"): 1])
        let shown = try #require(
            try await ledger.ledger.accountReport(of: account(1), after: nil, limit: 9, in: try ledger.context()))
        let installed = shown.appTransactions.entries.map(\.transaction.appVersion)
        #expect(installed.map { $0?.text } == ["2.5", "3.1"] && installed.allSatisfy { $0?.externalID == 812_345_678 })
        #expect(try await ledger.differences() == [])
    }

    /// From the time before Apple gave IDs: recorded, and nobody is the first.
    @Test(arguments: LedgerKind.allCases)
    func `Of an app transaction without an ID nobody is the first`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        for digit: UInt8 in [1, 2] {
            try await ledger.show(receipt("\(digit)", by: digit), appTransaction(nil))
            #expect(try await ledger.appTransactions(of: digit).entries == ["hangman Production - 1.0 old today false"])
        }
    }

    /// Two servers are shown one ID by two accounts at the same moment.
    @Test func `Two servers agree who showed an app transaction first`() async throws {
        let url = try PostgresServer.shared.get().newLedger()
        let servers = try (0..<2).map { _ in
            TestLedger(try PostgresLedger.open(url: url, handlers: standardHandlers, limits: .patient))
        }
        try await servers[0].join(1, 2)
        for number in 0..<20 {
            try await withThrowingTaskGroup { group in
                for (digit, server) in zip([1, 2] as [UInt8], servers) {
                    group.addTask {
                        try await server.show(receipt("\(number)", by: digit), appTransaction("\(700 + number)"))
                    }
                }
                try await group.waitForAll()
            }
        }
        let firsts = "SELECT sum(isFirst)::bigint AS firsts, count(*) AS shown FROM appTransactions GROUP BY id"
        #expect(try await servers[0].rows(firsts) == Array(repeating: "1 2", count: 20))
    }
}
