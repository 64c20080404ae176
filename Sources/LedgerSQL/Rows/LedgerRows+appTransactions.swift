import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    @discardableResult
    func write(_ appTransaction: AppTransaction, shownBy account: AccountID, at date: Date) throws -> Bool {
        let key: SQLArguments = [
            appTransaction.app, appTransaction.environment.rawValue, appTransaction.id ?? "",
        ]
        // If another server inserts the same ID meanwhile, the unique index has the later one try again.
        let isFirst = try appTransaction.id != nil && firstAppTransaction(key) == nil
        try send(
            """
            INSERT INTO appTransactions
                (account, app, environment, id, isFirst, originalPurchasedAt, originalAppVersion, signedAt, shownAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, app, environment, id) DO UPDATE SET
                originalPurchasedAt = excluded.originalPurchasedAt, originalAppVersion = excluded.originalAppVersion,
                signedAt = excluded.signedAt
            WHERE excluded.signedAt > appTransactions.signedAt
            """,
            [account.text] + key + [
                isFirst ? 1 : 0, appTransaction.originalPurchaseDate.milliseconds, appTransaction.originalAppVersion,
                appTransaction.signedDate.milliseconds, date.milliseconds,
            ])
        try send(
            """
            UPDATE appTransactions SET lastShownAt = ?
            WHERE account = ? AND app = ? AND environment = ? AND id = ? AND coalesce(lastShownAt, shownAt) < ?
            """,
            [date.milliseconds, account.text] + key + [(date - Self.shownAgainAfter).milliseconds])
        return isFirst
    }

    /// How long, in seconds, an app transaction that is shown again and again counts as shown at the same time.
    private static var shownAgainAfter: TimeInterval { 86_400 }

    private func firstAppTransaction(_ key: SQLArguments) throws -> SQLRow? {
        try one("SELECT 1 FROM appTransactions WHERE app = ? AND environment = ? AND id = ? AND isFirst = 1", key)
    }
}

extension ShownAppTransaction {
    init(_ row: SQLRow) throws {
        let id: String = try row["id"]
        try self.init(
            transaction: AppTransaction(
                id: id.isEmpty ? nil : id, app: row["app"], environment: row.environment(),
                originalPurchaseDate: row.date("originalPurchasedAt"), originalAppVersion: row["originalAppVersion"],
                signedDate: row.date("signedAt")), date: row.date("shownAt"), isFirst: row["isFirst"] as Int != 0)
    }
}
