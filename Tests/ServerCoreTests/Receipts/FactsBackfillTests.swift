import Foundation
import InAppPurchase
import Ledger
import LedgerSQLite
import ServerTestSupport
import SwiftASN1
import TestSupport
import Testing
import X509

@testable import AppStore
@testable import CommandLine
@testable import LedgerSQL
@testable import QuartermasterServer
@testable import ServerCore

/// The facts that an earlier release did not store are read from the receipts that it stored.
@Suite(.serialized) struct FactsBackfillTests {
    /// Every fifth receipt and notification, since each is signed; `make check-backfill` has all.
    private static let readsAll = ProcessInfo.processInfo.environment["QUARTERMASTER_BACKFILL"] == "all"

    private static func open(_ path: String) throws -> SQLLedger {
        try SQLiteLedger.open(path: path, handlers: Server.standardHandlers)
    }

    /// Writes the release's ledger, with the bytes of some receipts and notifications only.
    private static func write(_ release: ReleasedLedger, to folder: URL, as name: String) async throws -> String {
        let path = try release.write(to: folder, as: name)
        let ledger = try open(path)
        guard !readsAll else { return path }
        for table in ["receipts", "notifications"] {
            try await ledger.execute("UPDATE \(table) SET content = '' WHERE unicode(substr(id, -1)) % 5 > 0")
        }
        return path
    }

    /// Runs a test with a server on the ledger of a release, which trusts the roots of that day.
    private static func serve(
        _ release: ReleasedLedger, _ path: String, in folder: URL,
        _ test: @escaping @Sendable (World, SQLLedger, FactsBackfill) async throws -> Void
    ) async throws {
        let (record, ledger, content) = (try release.record(), try open(path), folder.appending(path: "content"))
        try record.writeContent(to: content)
        let certificate = folder.appending(path: "xcode.der")
        try record.xcode.write(to: certificate)
        let settings = [
            "QUARTERMASTER_CONTENT": content.path, "QUARTERMASTER_CATALOG": "database",
            "QUARTERMASTER_APPS_COM_EXAMPLE_HANGMAN_XCODE_CERTIFICATES": certificate.path,
            "QUARTERMASTER_APP_RECEIPTS": "local",
        ]
        let (roots, end) = (try await roots(in: ledger), try #require(record.exchanges.last?.at))
        try await World.run(
            products: record.products, ledger: ledger, environment: settings, roots: roots,
            at: try #require(Date(rfc3339: end))
        ) { world in
            let backfill = world.assembly.services.compactMap { $0 as? FactsBackfill }.first
            try await test(world, ledger, try #require(backfill))
        }
    }

    /// The roots in the chains of the stored receipts; they are of the simulated App Store that made the ledger.
    private static func roots(in ledger: SQLLedger) async throws -> [Data] {
        var (roots, position) = (Set<Data>(), BackfillPosition.start)
        while position.phase == .receipts {
            let page = try await ledger.backfillPage(after: position)
            for case .receipt(let receipt, _) in page.items { roots.formUnion(try Self.roots(in: receipt)) }
            position = page.next
        }
        return Array(roots)
    }

    private static func roots(in receipt: Receipt) throws -> [Data] {
        let chain: [Data]
        switch receipt.kind {
        case .signedTransaction:
            let header = receipt.content.split(separator: ".").first.map(String.init) ?? ""
            let base64 = header.replacing("-", with: "+").replacing("_", with: "/")
            let padding = String(repeating: "=", count: (4 - base64.count % 4) % 4)
            let json = try #require(Data(base64Encoded: base64 + padding))
            let members = try JSONDecoder().decode(JSONValue.self, from: json)
            chain = members["x5c"].array.compactMap { $0.text.flatMap { Data(base64Encoded: $0) } }
            guard chain.count == 3 else { return [] }
        case .appReceipt:
            let message = try SignedDataMessage(berEncoded: Array(try #require(Data(base64Encoded: receipt.content))))
            chain = message.certificates.map { Data($0) }
        default: return []
        }
        return try chain.filter { der in
            let certificate = try Certificate(derEncoded: Array(der))
            return certificate.issuer == certificate.subject
        }
    }

    /// The facts of all rows, except those that a sandbox reset forgot: sending a receipt again revives them.
    private static func facts(in ledger: SQLLedger) async throws -> [String: String] {
        try await ledger.database.read { db in
            var facts: [String: String] = [:]
            for row in try db.all("SELECT * FROM transactions WHERE forgottenAt IS NULL", []) {
                let transaction = try FactsCodec.decodeUncached(row["facts"], row.transactionColumns())
                let key: [String] = try ["transactions", row["app"], row["environment"], row["id"]]
                facts[key.joined(separator: " ")] = FactsCodec().encode(transaction)
            }
            for row in try db.all("SELECT app, environment, id, facts FROM unclaimedTransactions", []) {
                let key: [String] = try ["unclaimedTransactions", row["app"], row["environment"], row["id"]]
                facts[key.joined(separator: " ")] = try row["facts"]
            }
            for row in try db.all("SELECT app, environment, originalID, facts FROM renewals", []) {
                let key: [String] = try [row["app"], row["environment"], row["originalID"], "renewal"]
                facts[key.joined(separator: " ")] = try row["facts"]
            }
            return facts
        }
    }

    @Test(arguments: ReleasedLedger.all)
    func `Backfilled rows are those of receipts recorded anew`(release: ReleasedLedger) async throws {
        try await withFolder { folder in
            let before = try await Self.facts(
                in: try Self.open(try await Self.write(release, to: folder, as: "before")))
            let expected = ResultBox()
            // Every receipt is sent again, and every notification's facts are observed.
            try await Self.serve(release, try await Self.write(release, to: folder, as: "anew"), in: folder) {
                _, ledger, backfill in
                var position = BackfillPosition.start
                while position.phase != .done {
                    let page = try await ledger.backfillPage(after: position)
                    for item in page.items {
                        guard let read = try await backfill.facts(in: item) else { continue }
                        let context = backfill.decisions.context
                        if case .receipt(let receipt, _) = item {
                            _ = try await ledger.record(receipt, .success(read), in: context)
                        } else {
                            _ = try await ledger.observe(read, cause: "again", in: context)
                        }
                    }
                    position = page.next
                }
                await expected.set(try await Self.facts(in: ledger))
            }
            let filled = try await Self.write(release, to: folder, as: "filled")
            // Two starts that are killed after a page, and one to the end.
            for stop in [1, 1, nil] as [Int?] {
                try await Self.serve(release, filled, in: folder) { _, ledger, backfill in
                    for _ in 0..<(stop ?? 0) { try await backfill.fillPage() }
                    guard stop == nil else { return }
                    while try await ledger.backfillPosition().phase == .receipts { try await backfill.fillPage() }
                    try await backfill.fillAll()
                    #expect(try await ledger.backfillPosition().phase == .done)
                }
            }
            let after = try await Self.facts(in: try Self.open(filled))
            let anew = await expected.facts
            #expect(Set(after.keys).isSubset(of: anew.keys))
            for (key, facts) in after where facts != anew[key] {
                Issue.record("\(key): \(facts), anew \(anew[key] ?? "nothing")")
            }
            let gained = after.filter { before[$0.key] != $0.value }
            #expect(gained.count > 250, "of \(after.count) rows \(gained.count) gained facts")
            #expect(after.values.contains { $0.contains("\"storefront\"") })
            // Such as the share of a refund, which an earlier release recorded as a full one.
            let end = try #require(try release.record().exchanges.last?.at)
            let date = try #require(Date(rfc3339: end))
            let counts = try await Self.open(filled).checkAccounts(at: date) { Issue.record("\($0)") }
            #expect(counts.transactions > 1_000)
        }
    }

    private actor ResultBox {
        private(set) var facts: [String: String] = [:]

        func set(_ facts: [String: String]) { self.facts = facts }
    }
}
