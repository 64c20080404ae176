import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// The audit trail from its end, page by page.
@Suite struct NewestAuditRowTests {
    @Test(arguments: LedgerKind.allCases)
    func `The newest audit rows are read page by page`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        for digit: UInt8 in [1, 2, 1, 1, 2] {
            try await ledger.record(receipt("\(digit)", by: digit), bought("words", "8"))
        }
        _ = try await ledger.adjust(5)
        let all = try await ledger.ledger.auditRows(after: 0, limit: 1_000)
        #expect(all.count > 6)
        for account in [nil, account(1), account(2), account(9)] {
            let wanted = all.filter { account == nil || $0.account == account }.reversed().map(\.sequence)
            for limit in 1...4 {
                var (found, before): ([Int], Int?) = ([], nil)
                while true {
                    let page = try await ledger.ledger.newestAuditRows(of: account, before: before, limit: limit)
                    #expect(page.count <= limit)
                    guard let last = page.last else { break }
                    found += page.map(\.sequence)
                    before = last.sequence
                }
                #expect(found == wanted)
            }
        }
        #expect(try await ledger.ledger.newestAuditRows(of: nil, before: nil, limit: 1) == all.suffix(1))
    }

    /// Whatever is asked for, the pages together have exactly that, though each looks at only a few rows.
    @Test(arguments: LedgerKind.allCases)
    func `Filtered pages of the audit trail have exactly what was asked for`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        for digit: UInt8 in [1, 2, 1] { try await ledger.record(receipt("\(digit)", by: digit), bought("words", "8")) }
        _ = try await ledger.adjust(5)
        let all = try await ledger.ledger.auditRows(after: 0, limit: 1_000)
        let (actor, middle) = (try #require(all.compactMap(\.actor).last), all[all.count / 2])
        for looked in [1, 3, 1_000] {
            let filters = [
                AuditFilter(lookingAt: looked), AuditFilter(kind: middle.kind, lookingAt: looked),
                AuditFilter(actor: actor, lookingAt: looked), AuditFilter(account: account(1), lookingAt: looked),
                AuditFilter(kind: middle.kind, account: account(2), lookingAt: looked),
                AuditFilter(since: middle.date, lookingAt: looked), AuditFilter(until: middle.date, lookingAt: looked),
                AuditFilter(kind: "'", lookingAt: looked), AuditFilter(account: account(9), lookingAt: looked),
            ]
            for (filter, limit) in filters.flatMap({ filter in [1, 2, 100].map { (filter, $0) } }) {
                let wanted = all.filter { filter.chooses($0) }
                let forwards = try await pages(from: 0) { next in
                    try await ledger.ledger.auditRows(matching: filter, after: next ?? 0, limit: limit)
                }
                #expect(forwards == wanted, "\(filter) \(limit)")
                let backwards = try await pages(from: nil) { next in
                    try await ledger.ledger.newestAuditRows(matching: filter, before: next, limit: limit)
                }
                #expect(backwards == wanted.reversed(), "\(filter) \(limit)")
            }
        }
    }

    /// The places of pages are those of rows that may be seen.
    @Test(arguments: LedgerKind.allCases)
    func `Pages of the audit trail for some apps name no place of other rows`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        for (number, currency) in ["hints", "coins", "hints"].enumerated() {
            _ = try await ledger.adjust(5, Currency(stored: currency), key: "\(number)")
        }
        for (app, count) in [("hangman", 3), ("chess", 0), ("hang_an", 0), ("HANGMAN", 0)] {
            var filter = AuditFilter(account: account(1))
            filter.reach = AdminReach([BundleID(stored: app)])
            let page = try await ledger.ledger.auditRows(matching: filter, after: 0, limit: 1)
            #expect(page.next == page.rows.first?.sequence && page.rows.count == min(count, 1), "\(app)")
            let rows = try await pages(from: nil) { next in
                try await ledger.ledger.newestAuditRows(matching: filter, before: next, limit: 1)
            }
            #expect(rows.count == count && rows.allSatisfy { $0.app?.text == app }, "\(app)")
        }
    }

    private func pages(from start: Int?, _ page: (Int?) async throws -> AuditRowPage) async throws -> [AuditRow] {
        var (rows, next): ([AuditRow], Int?) = ([], start)
        repeat {
            let found = try await page(next)
            rows += found.rows
            next = found.next
        } while next != nil
        return rows
    }
}

extension AuditFilter {
    fileprivate func chooses(_ row: AuditRow) -> Bool {
        (kind == nil || row.kind == kind) && (actor == nil || row.actor == actor)
            && (account == nil || row.account == account) && since.map { row.date >= $0 } ?? true
            && until.map { row.date < $0 } ?? true
    }
}
