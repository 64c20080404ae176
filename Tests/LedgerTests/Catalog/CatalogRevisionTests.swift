import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@Suite struct CatalogRevisionTests {
    private static func entry(_ subject: String) -> AuditEntry {
        AuditEntry(.catalogReplaced, by: .command(user: "bob"), subject: subject, at: today)
    }

    @Test(arguments: LedgerKind.allCases)
    func `Revisions of the catalog are numbered and read back as they were pushed`(kind: LedgerKind) async throws {
        let ledger = try kind.open().ledger
        #expect(try await ledger.newestCatalogRevision(after: 0) == nil)
        #expect(try await ledger.catalogHistory(before: nil, limit: 9).isEmpty)
        // Any bytes: what is pushed is pulled unchanged.
        let texts = [Data("{}".utf8), Data([0, 0xff, 10]), Data(repeating: 7, count: 70_000)]
        for (index, text) in texts.enumerated() {
            let added = try await ledger.addCatalogRevision(text, after: index, Self.entry("\(index)"))
            #expect(added == CatalogRevision(number: index + 1, text: text))
        }
        #expect(try await ledger.newestCatalogRevision(after: 0)?.text == texts[2])
        #expect(try await ledger.newestCatalogRevision(after: 2)?.number == 3)
        #expect(try await ledger.newestCatalogRevision(after: 3) == nil)
        #expect(try await ledger.catalogRevision(2)?.text == texts[1])
        #expect(try await ledger.catalogRevision(4) == nil)
        let history = try await ledger.catalogHistory(before: nil, limit: 2)
        #expect(history.map(\.number) == [3, 2] && history.map(\.bytes) == [70_000, 3])
        #expect(try await ledger.catalogHistory(before: 3, limit: 9).map(\.number) == [2, 1])
        #expect(try await ledger.catalogHistory(before: 1, limit: 9).isEmpty)
        #expect(history.allSatisfy { $0.actor == "command:bob" && $0.date == today })
        let rows = try await ledger.auditRows(after: 0, limit: 9)
        #expect(rows.map(\.subject) == ["0", "1", "2"])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A revision that does not follow the newest one is not added`(kind: LedgerKind) async throws {
        let ledger = try kind.open().ledger
        _ = try await ledger.addCatalogRevision(Data([1]), after: 0, Self.entry("first"))
        for number in [0, -1, 2, .max, .min] {
            #expect(try await ledger.addCatalogRevision(Data([2]), after: number, Self.entry("late")) == nil)
        }
        #expect(try await ledger.auditRows(after: 0, limit: 9).count == 1)
    }

    @Test(arguments: LedgerKind.allCases)
    func `Of many revisions pushed at once one is added`(kind: LedgerKind) async throws {
        let ledger = try kind.open().ledger
        for number in 0..<3 {
            let added = try await withThrowingTaskGroup { group in
                for writer in 0..<16 {
                    group.addTask {
                        try await ledger.addCatalogRevision(
                            Data([UInt8(writer)]), after: number, Self.entry("\(writer)"))
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }.compactMap { $0 }
            }
            try #require(added.count == 1)
            #expect(try await ledger.newestCatalogRevision(after: number) == added.first)
        }
        #expect(try await ledger.auditRows(after: 0, limit: 99).count == 3)
    }
}
