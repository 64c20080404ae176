package import Ledger

extension SQLLedger {
    package func compactReceipts(after last: String, atMost count: Int) async throws -> CompactedReceipts {
        try await write { try $0.compactReceipts(after: last, atMost: count) }
    }

    package func reclaimSpace() async throws { try await database.reclaimSpace() }
}
