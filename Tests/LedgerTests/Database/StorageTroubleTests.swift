import Basics
import Foundation
import GRDB
import InAppPurchase
import Ledger
import StrictJSON
import TestSupport
import Testing

@testable import LedgerSQL
@testable import LedgerSQLite

/// A disk that is full or cannot be written to: writes fail and leave nothing half done, and reads go on.
@Suite struct StorageTroubleTests {
    enum Trouble: CaseIterable {
        case full
        case readOnly

        func start(on ledger: SQLLedger) async throws {
            switch self {
            case .full:
                let pages = try await ledger.value("PRAGMA page_count") ?? ""
                try await ledger.execute("PRAGMA max_page_count = \(pages)")
            case .readOnly: try await ledger.execute("PRAGMA query_only = 1")
            }
        }

        func end(on ledger: SQLLedger) async throws {
            try await ledger.execute("PRAGMA max_page_count = 1000000")
            try await ledger.execute("PRAGMA query_only = 0")
        }
    }

    /// More than the pages in use have room for.
    static let large = String(repeating: "x", count: 300_000)

    static let writes: [@Sendable (TestLedger) async throws -> Void] = [
        { try await $0.record(receipt(large), bought("hints", "100")) },
        { try await $0.reject(receipt(large), .signature) },
        { _ = try await $0.ledger.enqueue(receipt(large), retryAt: today, at: today) },
        { try await $0.ledger.set(["small": Data([1]), "large": Data(large.utf8)]) },
        { _ = try await $0.ledger.establish(Data(large.utf8), forKey: "large") },
        { _ = try await $0.spend(1, key: large) },
        {
            try await $0.ledger.recordUnreadable(
                .whole(digest: Data(), length: 1), id: "r", reason: large, from: account(1), at: today)
        },
        {
            try await $0.ledger.createAccount(
                account(9), token: Data([9]), recoveryCode: Data(large.utf8), at: today)
        },
        {
            _ = try await $0.ledger.openSession(
                recoveryCode: Data([1]), token: Data(large.utf8), at: today)
        },
    ]

    @Test(arguments: [false, true], Trouble.allCases)
    func `Writes fail as a whole while the disk is full or read-only, and work after it`(inFile: Bool, trouble: Trouble)
        async throws
    {
        let sqlite = try SQLLedger.make(inFile: inFile)
        let ledger = TestLedger(sqlite)
        try await ledger.liveThroughEverything()
        let before = (rows: try await ledger.everything(), read: try await ledger.read())
        for (number, write) in Self.writes.enumerated() {
            try await trouble.start(on: sqlite)
            await #expect(throws: LedgerUnavailable.self, "write \(number)") { try await write(ledger) }
            #expect(try await ledger.read() == before.read)
            #expect(try await ledger.everything() == before.rows)
        }
        try await trouble.end(on: sqlite)
        for write in Self.writes { try await write(ledger) }
        #expect(try await ledger.everything() != before.rows)
    }

    /// Messages for an operator contain no receipt.
    @Test(arguments: Trouble.allCases)
    func `The error of a full or read-only disk shows no secrets`(trouble: Trouble) async throws {
        let sqlite = try SQLLedger.make(inFile: false)
        let ledger = TestLedger(sqlite)
        try await ledger.join(1)
        try await trouble.start(on: sqlite)
        let error = await #expect(throws: LedgerUnavailable.self) {
            try await ledger.record(receipt("secret" + Self.large), bought("hints", "1"))
        }
        #expect(error?.detail.contains("secret") == false)
        #expect(error?.detail.hasPrefix("SQLite \(trouble == .full ? 13 : 8): ") == true)
    }

    @Test func `A missing folder and a file that is no database are refused`() throws {
        #expect(throws: LedgerUnavailable.self) {
            try SQLiteLedger.open(path: "/nonexistent/ledger.sqlite", handlers: standardHandlers)
        }
        let file = try LedgerFile()
        try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: file.path))
        #expect(throws: LedgerUnavailable.self) { try file.open() }
    }
}
