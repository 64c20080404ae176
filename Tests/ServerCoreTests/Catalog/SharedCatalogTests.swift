import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import Logging
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The catalog in the database of several servers.
@Suite struct SharedCatalogTests {
    private static let shared = ["QUARTERMASTER_CATALOG": "database"]
    private static let hints = SampleCatalog.text(SampleCatalog.hints)
    private static let words = SampleCatalog.text(SampleCatalog.words)

    /// Two servers of one ledger, the second with another file beside it.
    private static func run(_ test: @escaping @Sendable (World, World) async throws -> Void) async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        try await World.run(products: hints, ledger: ledger, environment: shared) { first in
            try await World.run(products: words, ledger: ledger, environment: shared) { second in
                try await test(first, second)
            }
        }
    }

    @Test func `The file of the first server is the first revision, and no other is read`() async throws {
        try await Self.run { first, second in
            var seen = (CatalogWatcher.Seen(), CatalogWatcher.Seen())
            for _ in 1...2 {
                for world in [first, second] {
                    #expect(try await world.productList().json["productIDs"] == ["com.example.hangman.tenhints"])
                }
                try first.write(Self.words)
                try await first.lookAtCatalog(&seen.0)
                try await second.lookAtCatalog(&seen.1)
            }
            #expect(try await first.ledger.catalogHistory(before: nil, limit: 9).map(\.number) == [1])
            #expect(try await first.catalogRows().map(\.kind) == ["catalog.replaced"])
        }
    }

    /// Whoever writes is told at once; what an earlier version accepted is read as it was.
    @Test func `A revision of an earlier version may have trailing commas and repeated members, a new one none`()
        async throws
    {
        let lenient = SampleCatalog.text(SampleCatalog.words).replacing("{\"apps\"", with: "{\"apps\": [], \"apps\"")
        let error = await #expect(throws: CommandError.self) {
            try await World.run(products: lenient, environment: Self.shared) { _ in Issue.record("served") }
        }
        #expect(error?.description.contains("products.json: apps: occurs twice") == true)
        try await World.run(products: Self.hints, environment: Self.shared) { world in
            var seen = CatalogWatcher.Seen()
            let old = Data(Self.words.replacing("]}]}", with: "],}],}").utf8)
            #expect(old != Data(Self.words.utf8))
            let entry = AuditEntry(.catalogReplaced, at: world.clock.now)
            #expect(try await world.ledger.addCatalogRevision(old, after: 1, entry) != nil)
            try await world.lookAtCatalog(&seen)
            #expect(try await world.productList().json["productIDs"] == ["com.example.hangman.hardwords"])
        }
    }

    @Test func `An edit is served by other servers at their next look`() async throws {
        try await Self.run { first, second in
            var seen = CatalogWatcher.Seen()
            let admin = try await first.newAdmin(name: "bob")
            let put = try await first.put(SampleCatalog.five, SampleCatalog.fiveHints, as: admin)
            #expect(put.status == 201)
            let (here, there) = (try await first.productList(), try await second.productList())
            #expect(here.json["productIDs"].array.count == 2 && there.json["productIDs"].array.count == 1)
            try await second.lookAtCatalog(&seen)
            #expect(try await second.productList().bytes == here.bytes)
            #expect(try await second.remove(SampleCatalog.five, as: admin).status == 204)
            let rows = try await first.catalogRows()
            #expect(rows.map(\.kind) == ["catalog.replaced", "product.added", "product.removed"])
            #expect(rows.dropFirst().allSatisfy { $0.actor == "admin:bob" && $0.subject == SampleCatalog.five })
        }
    }

    /// Neither server looks in between: each makes its edit from what the other wrote.
    @Test func `Edits by two servers at once are all there`() async throws {
        try await Self.run { first, second in
            let admin = try await first.newAdmin()
            let names = (0..<12).map { "com.example.hangman.n\($0)" }
            try await withThrowingDiscardingTaskGroup { group in
                for (number, name) in names.enumerated() {
                    group.addTask {
                        let entry = SampleCatalog.fiveHints.replacing(SampleCatalog.five, with: name)
                        let world = number.isMultiple(of: 2) ? first : second
                        // Another one may be faster ten times in a row, and then it is refused.
                        while try await world.put(name, entry, as: admin).status != 201 {}
                    }
                }
            }
            var seen = (CatalogWatcher.Seen(), CatalogWatcher.Seen())
            try await first.lookAtCatalog(&seen.0)
            try await second.lookAtCatalog(&seen.1)
            let list = try await first.productList()
            #expect(list.json["productIDs"].array.count == 13)
            #expect(try await second.productList().bytes == list.bytes)
            #expect(try await first.ledger.catalogHistory(before: nil, limit: 99).count == 13)
        }
    }

    @Test func `A precondition is about the revision in the database`() async throws {
        try await Self.run { first, second in
            let admin = try await first.newAdmin()
            let tag = try await first.entries(as: admin).headers[.eTag] ?? ""
            _ = try await second.put(SampleCatalog.five, SampleCatalog.fiveHints, as: admin)
            let stale = try await first.remove(SampleCatalog.five, as: admin, headers: [.ifMatch: tag])
            #expect(stale.status == 412)
        }
    }

    @Test func `A revision that is wrong here is reported, and the old one stays`() async throws {
        let log = LogRecorder()
        try await World.run(products: Self.hints, environment: Self.shared, logger: log.logger(.error)) { world in
            var seen = CatalogWatcher.Seen()
            let entry = AuditEntry(.catalogReplaced, at: world.clock.now)
            let bad = Data(SampleCatalog.text(SampleCatalog.bad).utf8)
            #expect(try await world.ledger.addCatalogRevision(bad, after: 1, entry)?.number == 2)
            for _ in 1...3 { try await world.lookAtCatalog(&seen) }
            #expect(log.lines.count == 1 && log.lines.first?.contains("the catalog in the database") == true)
            #expect(try await world.productList().json["productIDs"] == ["com.example.hangman.tenhints"])
            #expect(try await world.ledger.addCatalogRevision(Data(Self.words.utf8), after: 2, entry) != nil)
            try await world.lookAtCatalog(&seen)
            #expect(try await world.productList().json["productIDs"] == ["com.example.hangman.hardwords"])
        }
    }
}
