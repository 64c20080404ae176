import Foundation
import InAppPurchase
import Ledger

/// The idempotency keys of requests for new accounts.
extension LedgerRows {
    /// The maximum number of outdated rows that are deleted with each new row, so that the table does not grow for
    /// long.
    private static let maximumDeletions = 16

    /// Returns the key's row, unless it is outdated.
    func accountKey(_ digest: Data, at date: Date) throws -> AccountKey? {
        let row = try one(
            "SELECT account, createdAt, repeats FROM accountKeys WHERE key = ? AND createdAt > ?",
            [digest, Self.outdated(at: date)])
        guard let row else { return nil }
        var key = AccountKey(digest, of: try row.account("account"), at: try row.date("createdAt"))
        key.repeats = try row["repeats"]
        return key
    }

    /// Adds a row, in place of an outdated one of the same key, and deletes some of the outdated ones.
    func insert(_ key: AccountKey) throws {
        let outdated = Self.outdated(at: key.createdAt)
        let old = try all(
            "SELECT key FROM accountKeys WHERE createdAt <= ? ORDER BY createdAt LIMIT \(Self.maximumDeletions)",
            [outdated])
        for digest in Set(try old.map { try $0["key"] as Data }).union([key.digest]) {
            try send("DELETE FROM accountKeys WHERE key = ? AND createdAt <= ?", [digest, outdated])
        }
        try send(
            "INSERT INTO accountKeys (key, account, createdAt) VALUES (?, ?, ?)",
            [key.digest, key.account.text, key.createdAt.milliseconds])
    }

    /// Gives the key's account another token and another recovery code in place of its own.
    ///
    /// - Throws: ``/Ledger/LedgerRefusal/accountKeyReused``.
    func reissue(_ key: AccountKey, to new: NewAccount) throws {
        guard key.repeats < NewAccount.maximumRepeats, try !hasActed(key.account) else {
            throw LedgerRefusal.accountKeyReused
        }
        try send("UPDATE accountKeys SET repeats = repeats + 1 WHERE key = ?", [key.digest])
        try send("UPDATE accounts SET recoveryCode = ? WHERE id = ?", [new.recoveryCode, key.account.text])
        // The account's only session: an account that has done nothing has no second one.
        try send(
            "UPDATE sessions SET token = ?, openedAt = ? WHERE account = ?",
            [new.token, new.date.milliseconds, key.account.text])
        try append(AuditEntry(.accountReissued, account: key.account, at: new.date))
    }

    /// Returns whether anything is recorded about the account but its creation, repetitions of it, and its starting
    /// credits, which are posted without a cause.
    private func hasActed(_ account: AccountID) throws -> Bool {
        let ownKinds: [AuditEntry.Kind] = [.accountCreated, .sessionOpened, .accountReissued]
        try insertAudit()
        let act = try one(
            """
            SELECT 1 AS found FROM audit WHERE account = ?
                AND kind NOT IN (\(ownKinds.map { "'\($0.rawValue)'" }.joined(separator: ", ")))
                AND (kind <> '\(AuditEntry.Kind.creditsPosted.rawValue)' OR subject IS NOT NULL) LIMIT 1
            """, [account.text])
        if act != nil { return true }
        return try all("SELECT 1 AS found FROM sessions WHERE account = ? LIMIT 2", [account.text]).count > 1
    }

    private static func outdated(at date: Date) -> Int { date.addingTimeInterval(-NewAccount.keyLifetime).milliseconds }
}
