import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func backfillPosition() async throws -> BackfillPosition { try await read { try $0.backfillPosition() } }

    package func backfillPage(after position: BackfillPosition) async throws -> BackfillPage {
        try await read { rows in
            var page = BackfillPage(items: [], next: position)
            var bytes = 0
            while page.items.count < BackfillPage.maximumItems, bytes < BackfillPage.maximumBytes {
                guard let row = try rows.storedBytes(after: page.next) else {
                    page.next = page.next.nextPhase
                    return page
                }
                page.next.id = row.id
                page.items.append(row.item)
                bytes += row.bytes
            }
            return page
        }
    }

    package func fill(
        _ facts: [VerifiedReceipt], from position: BackfillPosition, to next: BackfillPosition,
        in context: RecordingContext
    ) async throws -> Int? {
        try await write { rows in
            guard try rows.backfillPosition() == position else { return nil }
            let recorder = ReceiptRecorder(rows, context)
            let filled = try facts.reduce(0) { try $0 + recorder.fill($1) }
            try rows.set(Data(try JSON.encode(next).utf8), forKey: LedgerRows.backfillKey)
            return filled
        }
    }
}

extension BackfillPosition {
    fileprivate var nextPhase: Self { Self(phase == .receipts ? .notifications : .done) }
}

extension LedgerRows {
    fileprivate static let backfillKey = "backfill/purchaseFacts"

    fileprivate func backfillPosition() throws -> BackfillPosition {
        guard let value = try value(forKey: Self.backfillKey) else { return .start }
        return try JSON.decode(BackfillPosition.self, from: String(decoding: value, as: UTF8.self))
    }

    /// The first row of the position's phase after it; `nil` if there is none.
    fileprivate func storedBytes(
        after position: BackfillPosition
    ) throws -> (id: String, bytes: Int, item: BackfillPage.Item)? {
        switch position.phase {
        case .receipts:
            let found = try one(
                """
                \(ReceiptRow.selection)
                WHERE r.id > ? AND (r.content <> '' OR r.packed IS NOT NULL) AND status IN ('verified', 'conflict')
                ORDER BY r.id LIMIT 1
                """, [position.id])
            return try found.map { row in
                let stored = try ReceiptRow(row)
                return (
                    stored.receipt.id, stored.receipt.content.utf8.count, .receipt(stored.receipt, stored.recordedAt)
                )
            }
        case .notifications:
            let found = try one(
                "SELECT * FROM notifications WHERE id > ? AND content <> '' ORDER BY id LIMIT 1", [position.id])
            return try found.map { row in
                let stored = try NotificationRow(row).pending.notification
                return (stored.id, stored.content.utf8.count, .notification(stored, try row.date("recordedAt")))
            }
        case .done: return nil
        }
    }
}
