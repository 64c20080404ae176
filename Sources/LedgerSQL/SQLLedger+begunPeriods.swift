import Foundation
import InAppPurchase
package import Ledger

extension SQLLedger {
    /// The maximum number of transactions in a call.
    private static let begunAtOnce = 200

    package func creditBegunPeriods(in context: RecordingContext) async throws -> Int {
        let begun = try await read { try $0.begunPeriods(at: context.date, limit: Self.begunAtOnce) }
        var (count, failure): (Int, (any Error)?) = (0, nil)
        for record in begun {
            guard let purchase = record.purchaseKey else { continue }
            do {
                try await write { try ReceiptRecorder($0, context).creditBegun(purchase) }
                count += 1
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                // One that cannot be read must not hold up the others.
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return count
    }
}

extension LedgerRows {
    fileprivate func begunPeriods(at date: Date, limit: Int) throws -> [RecordedTransaction] {
        let keys = try all(Self.begunPeriods, [date.milliseconds, limit]).map { try $0.transactionKey() }
        return keys.isEmpty ? [] : try transactions(Set(keys))
    }

    private static let begunPeriods = SQLStatement { dialect in
        """
        SELECT app, environment, id FROM transactions \(dialect.using(index: "transactionsCreditsFrom"))
        WHERE creditsFrom IS NOT NULL AND creditsFrom <= ? AND forgottenAt IS NULL
        ORDER BY creditsFrom LIMIT ?
        """
    }
}
