import Foundation
import InAppPurchase

extension LedgerTransaction {
    /// Queues the finishing of a transaction that was delivered, if its app's entry in the catalog asks for it.
    func queueFinish(of record: RecordedTransaction, _ context: RecordingContext) throws {
        let transaction = record.transaction
        guard context.catalog.app(transaction.app)?.finishFromServer == true, transaction.isFinishable(at: context.date)
        else { return }
        try queue(
            StoreTask(
                key: StoreTask.Key(
                    kind: .finish, app: transaction.app, environment: transaction.environment, id: transaction.id),
                account: record.owner, date: context.date))
    }

    /// Queues the change of the `appAccountToken` of an original transaction that was transferred, so that later
    /// renewals name its owner.
    func queueAccountToken(of original: OriginalTransaction, at date: Date) throws {
        let key = original.key
        try queue(
            StoreTask(
                key: StoreTask.Key(
                    kind: .setAccountToken, app: key.app, environment: key.environment, id: key.originalID),
                account: original.owner, date: date))
    }

    /// No store has a server for purchases that Xcode made.
    private func queue(_ task: StoreTask) throws {
        guard task.key.environment != .xcode else { return }
        try write(task)
    }
}

extension Transaction {
    fileprivate func isFinishable(at date: Date) -> Bool {
        expirationDate == nil || date.timeIntervalSince(purchaseDate) <= StoreTask.finishablePeriodAge
    }
}
