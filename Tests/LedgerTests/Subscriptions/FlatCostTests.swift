import Foundation
import InAppPurchase
import Ledger
import Synchronization
import TestSupport
import Testing

@testable import LedgerSQL

/// Earlier purchases make no request dearer: as many statements, and as many rows read.
@Suite struct FlatCostTests {
    private static let products = (0..<10).map { ProductID(stored: "p\($0)") }
    static let types = [
        #""type": "consumable", "credits": {"hints": 1}, "bundles": ["words"]"#,
        #""type": "non-consumable", "credits": {"hints": 1}, "bundles": ["words"]"#,
        #""type": "non-renewing", "duration": "P1D", "bundles": ["words"]"#,
        #""type": "non-renewing", "duration": "P3D", "group": "passes", "bundles": ["words"]"#,
        #""type": "auto-renewable", "group": "club", "credits": {"hints": 1}, "bundles": ["words"]"#,
    ]

    private struct Cost: Equatable, CustomStringConvertible {
        var statements: [String]
        var rows: Int

        var description: String { "\(rows) rows by\n\(statements.joined(separator: "\n"))" }
    }

    /// A ledger in which an account has bought ten products this many times, once a day.
    private struct Past {
        let ledger: SQLLedger
        let counts: CountingDatabase.Counts
        let catalog: Catalog
        let isSubscription: Bool
        let length: Int

        init(_ kind: LedgerKind, _ type: String, _ length: Int) async throws {
            let made = try kind.open()
            try await made.join(1)
            let database = CountingDatabase(try #require(made.ledger as? SQLLedger).database)
            ledger = SQLLedger(database, handlers: standardHandlers, onCommit: { _ in })
            counts = database.counts
            let products = FlatCostTests.products.map { #"{"id": "\#($0)", \#(type)}"# }.joined(separator: ", ")
            let other = #"{"id": "other", "type": "consumable", "credits": {"hints": 5}}"#
            catalog = try LedgerTests.catalog(
                #"{"apps": [{"bundleID": "hangman", "products": [\#(other), \#(products)]}]}"#)
            isSubscription = type.contains("auto-renewable")
            self.length = length
            try await record([bought("other", "9", on: day(1), signed: day(1))])
            // In few receipts, which are also listed.
            let share = max(200, (length + 2) / 3)
            for first in stride(from: 0, to: length, by: share) {
                try await record((first..<min(length, first + share)).map { copy($0) })
            }
            try await record([copy(length)])
        }

        func copy(_ number: Int) -> Transaction {
            let product = FlatCostTests.products[number % FlatCostTests.products.count]
            return bought(
                product, TransactionID(stored: "\(number + 100)"), original: isSubscription ? "100" : nil,
                on: day(number), until: isSubscription ? day(number + 1) : nil, signed: day(number))
        }

        var context: RecordingContext { RecordingContext(catalog: catalog, date: day(length)) }

        /// With provisional access.
        var waiting: RecordingContext {
            RecordingContext(catalog: catalog, date: day(length), provisionalTime: 6 * 3_600)
        }

        func record(_ copies: [Transaction]) async throws {
            let name = "\(copies.first?.id.text ?? "") \(copies.first?.signedDate.milliseconds ?? 0)"
            let answer = try await ledger.record(
                receipt(name), .success(VerifiedReceipt(transactions: copies)), in: context)
            #expect(answer.status == .verified)
        }

        func cost(_ exchange: () async throws -> Void) async throws -> Cost {
            counts.statements.withLock { $0 = [] }
            counts.rows.withLock { $0 = 0 }
            try await exchange()
            return Cost(statements: counts.statements.withLock { $0 }, rows: counts.rows.withLock { $0 })
        }

        /// The cost of each exchange, with its name.
        func costs() async throws -> [(name: String, cost: Cost)] {
            let (next, renewal) = (copy(length + 1), copy(length + 2))
            var again = next
            again.signedDate += 3_600
            let refund = bought("other", "9", on: day(1), revoked: day(length), signed: day(length))
            let name = "r_\(next.id.text) \(next.signedDate.milliseconds)_1"
            let pending = try await ledger.enqueue(receipt("waits"), retryAt: day(length), at: day(length)).receipt
            let shown = VerifiedReceipt(transactions: [copy(length + 3)])
            return [
                (
                    "a receipt waits",
                    try await cost { _ = try await ledger.openProvisionally(pending, shown, in: waiting) }
                ),
                (
                    "entitlements while it waits",
                    try await cost { _ = try await ledger.entitlements(of: account(1), in: waiting) }
                ),
                ("entitlements", try await cost { _ = try await ledger.entitlements(of: account(1), in: context) }),
                ("manifest", try await cost { _ = try await manifestFacts() }),
                ("receipt", try await cost { try await record([next]) }),
                ("the same again", try await cost { try await record([next]) }),
                ("signed again", try await cost { try await record([again]) }),
                ("its status", try await cost { _ = try await ledger.receipt(name, of: account(1), in: context) }),
                ("notification", try await cost { try await receive(renewal) }),
                ("refund", try await cost { try await receive(refund) }),
                (
                    "entitlements after",
                    try await cost { _ = try await ledger.entitlements(of: account(1), in: context) }
                ),
            ]
        }

        /// With the most that a request for a manifest asks of the ledger.
        private func manifestFacts() async throws -> ManifestFacts {
            let question = ManifestQuestion(token: Data([1]), bundle: "words", asksForRefunds: true)
            return try #require(try await ledger.manifestFacts(question, in: context))
        }

        /// The cost of each page of the account's report, and the number of purchases on all of them.
        func report() async throws -> (pages: [Cost], purchases: Int) {
            var (pages, purchases, position): ([Cost], Int, PurchasePosition?) = ([], 0, nil)
            repeat {
                var report: AccountReport?
                let cost = try await cost {
                    report = try await ledger.accountReport(
                        of: account(1), after: position, limit: AccountReport.maximumEntries, in: context)
                }
                pages.append(cost)
                purchases += report?.transactions.entries.count ?? 0
                position = report?.next
            } while position != nil
            return (pages, purchases)
        }

        private func receive(_ copy: Transaction) async throws {
            let key = copy.originalTransactionKey
            _ = try await ledger.record(
                notification(
                    "n\(copy.id)", copy,
                    renewals: isSubscription
                        ? [key: RenewalFacts(willAutoRenew: true, signedDate: copy.signedDate)] : [:]), in: context)
        }
    }

    @Test(arguments: [LedgerKind.sqliteInMemory, .postgres], types)
    func `A request costs the same however many purchases an account has`(kind: LedgerKind, type: String) async throws {
        let short = try await Past(kind, type, 40).costs()
        let long = try await Past(kind, type, 2_000).costs()
        for (short, long) in zip(short, long) { #expect(short.cost == long.cost, "\(short.name)") }
        let reads = long.first { $0.name == "entitlements" }?.cost
        #expect(reads?.statements.count ?? 0 <= 2 && reads?.rows ?? 0 < 13, "\(String(describing: reads))")
    }

    /// Support sees an account with 10,000 purchases as fast as any other, and its first purchase as fast as its last.
    @Test(arguments: [(LedgerKind.sqliteInMemory, 10_000), (.postgres, 2_000)])
    func `A page of a report costs the same however long the history is`(kind: LedgerKind, length: Int) async throws {
        let (short, long) = (try await Past(kind, Self.types[0], 600), try await Past(kind, Self.types[0], length))
        let (of600, ofMany) = (try await short.report(), try await long.report())
        #expect(of600.purchases == 602 && ofMany.purchases == length + 2)
        #expect(ofMany.pages.count == (length + 1) / AccountReport.maximumEntries + 1)
        #expect(ofMany.pages[0] == of600.pages[0], "the newest")
        for page in ofMany.pages.dropFirst().dropLast() { #expect(page == of600.pages[1]) }
    }
}
