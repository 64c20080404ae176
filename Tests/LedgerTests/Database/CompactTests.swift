import Foundation
import InAppPurchase
import Ledger
import Synchronization
import TestSupport
import Testing

@testable import LedgerSQL

/// Receipts take little room, and are read back as they were sent.
@Suite struct CompactTests {
    private static let headers = ["eyJhIjoxfQ", "eyJhIjoyfQ"]

    /// Records receipts whose contents are signed texts, and one whose content is not; returns their contents by ID.
    private func record(_ count: Int, in ledger: TestLedger, seed: UInt64 = 1) async throws -> [String: String] {
        var generator = SeededGenerator(seed: seed)
        var sent: [String: String] = ["r_plain": "no signed text"]
        for number in 0..<count {
            let header = Self.headers[number % Self.headers.count]
            sent["r_\(seed)-\(number)"] = SignedText.random(header: header, using: &generator)
        }
        for (id, content) in sent {
            let receipt = Receipt(
                id: id, account: account(1), kind: .signedTransaction, content: content, digest: Data(id.utf8),
                mayTransfer: true, isForDevice: false)
            try await ledger.record(receipt, bought("hints", "1"))
        }
        return sent
    }

    /// The receipts as a reader of stored bytes gets them.
    private func contents(of ledger: TestLedger) async throws -> [String: String] {
        var contents: [String: String] = [:]
        var position = BackfillPosition.start
        while position.phase == .receipts {
            let page = try await ledger.ledger.backfillPage(after: position)
            for case .receipt(let receipt, _) in page.items { contents[receipt.id] = receipt.content }
            position = page.next
        }
        return contents
    }

    /// Stores receipts as earlier releases did.
    private func unpack(_ contents: [String: String], in ledger: TestLedger) async throws {
        try await #require(ledger.ledger as? SQLLedger).database.write { db in
            for (id, content) in contents {
                _ = try db.run(
                    "UPDATE receipts SET content = ?, packed = NULL, header = NULL WHERE id = ?", [content, id])
            }
            _ = try db.run("DELETE FROM receiptHeaders", [])
        }
    }

    private func countStoredAsSent(in ledger: TestLedger) async throws -> [String] {
        try await ledger.rows("SELECT count(*) FROM receipts WHERE content <> ''")
    }

    @Test(arguments: LedgerKind.allCases)
    func `Verified receipts are packed and read back as they were sent`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let sent = try await record(30, in: ledger)
        #expect(try await contents(of: ledger) == sent)
        #expect(try await countStoredAsSent(in: ledger) == ["1"])
        #expect(try await ledger.rows("SELECT content FROM receiptHeaders ORDER BY content") == Self.headers)
    }

    /// The command is interrupted after any page, and another one does the same at once.
    @Test(arguments: LedgerKind.allCases) func `Older receipts are packed page by page`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let sent = try await record(30, in: ledger)
        try await unpack(sent, in: ledger)
        #expect(try await contents(of: ledger) == sent)
        var packed = 0
        for _ in 0..<4 {
            let page = try await ledger.ledger.compactReceipts(after: "", atMost: 7)
            packed += page.packed
            #expect(try await contents(of: ledger) == sent)
        }
        var last: String? = ""
        while let place = last {
            let page = try await ledger.ledger.compactReceipts(after: place, atMost: 7)
            packed += page.packed
            last = page.last
        }
        #expect(packed == 30)
        #expect(try await contents(of: ledger) == sent)
        #expect(try await countStoredAsSent(in: ledger) == ["1"])
        #expect(try await ledger.rows("SELECT count(*) FROM receiptHeaders") == ["2"])
        try await ledger.ledger.reclaimSpace()
        #expect(try await contents(of: ledger) == sent)
    }

    /// After an interrupted run, the next one reads past packed receipts without keeping the writer from others.
    @Test(arguments: LedgerKind.allCases)
    func `Receipts that are packed already are passed without a write`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        _ = try await record(30, in: ledger)
        let first = try #require(ledger.ledger as? SQLLedger)
        // It is no signed text, and is looked at each time.
        try await first.write { try $0.eraseContent(of: "r_plain") }
        let counting = CountingDatabase(first.database)
        let counted = SQLLedger(counting, handlers: standardHandlers, onCommit: { _ in })
        let page = try await counted.compactReceipts(after: "", atMost: 7)
        #expect(page == CompactedReceipts(last: "r_plain", lookedAt: 31, packed: 0, bytesBefore: 0, bytesAfter: 0))
        #expect(counting.counts.writes.withLock { $0 } == 0)
    }

    /// The row of a header that was rolled back with its receipt is written by the next receipt.
    @Test(arguments: LedgerKind.allCases)
    func `A header that was rolled back is stored by the next receipt`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        var generator = SeededGenerator(seed: 7)
        let text = SignedText.random(header: Self.headers[0], using: &generator)
        let strangers = Receipt(
            id: "r_none", account: account(9), kind: .signedTransaction, content: text, digest: Data("none".utf8),
            mayTransfer: true, isForDevice: false)
        await #expect(throws: (any Error).self) { try await ledger.record(strangers, bought("hints", "2")) }
        #expect(try await ledger.rows("SELECT content FROM receiptHeaders") == [])
        let sent = try await record(3, in: ledger)
        #expect(try await contents(of: ledger) == sent)
        #expect(try await ledger.rows("SELECT content FROM receiptHeaders ORDER BY content") == Self.headers)
        #expect(try await countStoredAsSent(in: ledger) == ["1"])
    }

    @Test(arguments: LedgerKind.allCases)
    func `Erased bytes of a receipt are gone, and other receipts keep the shared header`(kind: LedgerKind) async throws
    {
        let ledger = try kind.open()
        try await ledger.join(1)
        var sent = try await record(4, in: ledger)
        let id = try #require(sent.keys.min())
        try await #require(ledger.ledger as? SQLLedger).write { try $0.eraseContent(of: id) }
        sent[id] = nil
        // Other receipts have the same header.
        #expect(try await contents(of: ledger) == sent)
        #expect(try await ledger.rows("SELECT content FROM receiptHeaders ORDER BY content") == Self.headers)
        #expect(try await ledger.rows("SELECT packed, header FROM receipts WHERE id = '\(id)'") == [" "])
    }
}
