import Foundation
import InAppPurchase
import Ledger

extension LedgerRows {
    /// All stored rows of one account.
    func accountAudit(of account: AccountID, in context: RecordingContext) throws -> AccountAudit {
        let transactions = try transactions(of: account)
        return AccountAudit(
            state: try ReceiptRecorder(self, context).state(of: account, transactions),
            transactions: transactions.count { $0.owner == account },
            balances: try balances(of: account), postings: try postings(of: account), spends: try spends(of: account),
            adjustments: try adjustments(of: account), startingCredits: try startingCreditGrants(of: account),
            refunds: try refunds(of: account), delivered: try purchasesDelivered(to: account, of: transactions),
            originalTransactions: try originalTransactions(of: account), receipts: try receiptSummaries(of: account))
    }

    private func balances(of account: AccountID) throws -> [AccountAudit.BalanceKey: Int] {
        try all("SELECT app, environment, currency, amount FROM balances WHERE account = ?", [account.text])
            .reduce(into: [:]) { $0[try $1.balanceKey()] = try $1["amount"] }
    }

    private func postings(of account: AccountID) throws -> [AccountAudit.Entry] {
        try all(
            """
            SELECT app, environment, currency, amount, kind, product, cause FROM postings
            WHERE account = ? ORDER BY sequence
            """, [account.text]
        ).map { row in
            try AccountAudit.Entry(
                balanceKey: row.balanceKey(), amount: row["amount"], kind: row["kind"], product: row["product"],
                cause: row["cause"])
        }
    }

    private func spends(of account: AccountID) throws -> [RecordedSpend] {
        try all("SELECT * FROM spends WHERE account = ?", [account.text]).map { row in
            let balanceKey = try row.balanceKey()
            let spend = try Spend(
                account: account, scope: balanceKey.scope, currency: balanceKey.currency, amount: row["amount"],
                idempotencyKey: row["idempotencyKey"])
            return try RecordedSpend(spend: spend, balance: row["balance"], date: row.date("spentAt"))
        }
    }

    private func adjustments(of account: AccountID) throws -> [RecordedAdjustment] {
        try all("SELECT * FROM adjustments WHERE account = ?", [account.text]).map(RecordedAdjustment.init)
    }

    private func purchasesDelivered(
        to account: AccountID, of transactions: [RecordedTransaction]
    ) throws -> Set<Transaction.Key> {
        let rows = try all(
            "SELECT app, environment, id FROM deliveries WHERE account = ? AND forgottenAt IS NULL",
            [account.text])
        let delivered = Set(try rows.map { try $0.transactionKey() })
        return Set(transactions.filter { delivered.contains($0.transaction.key) }.compactMap(\.purchaseKey))
    }

    private func originalTransactions(of account: AccountID) throws -> [OriginalTransaction] {
        let rows = try all(
            """
            SELECT app, environment, originalID FROM \(Self.owned(db.dialect)) ORDER BY app, environment, originalID
            """, [account.text])
        let keys = try rows.map { try $0.originalTransactionKey() }
        let originals = try originalTransactionsWithAllTransfers(Set(keys))
        return keys.compactMap { originals[$0] }
    }

    private func receiptSummaries(of account: AccountID) throws -> [AccountAudit.ReceiptSummary] {
        try all(
            """
            SELECT id, status, rejection IS NOT NULL AS isRejected, answeredAt IS NOT NULL AS isAnswered,
                retryAt IS NOT NULL AS isDue,
                (SELECT count(*) FROM receiptTransactions WHERE receipt = r.id) AS transactions,
                (SELECT count(*) FROM receiptTransactions c WHERE receipt = r.id AND NOT EXISTS (
                    SELECT 1 FROM transactions t
                    WHERE t.app = c.app AND t.environment = c.environment AND t.id = c.id
                ) AND NOT EXISTS (
                    SELECT 1 FROM unclaimedTransactions u
                    WHERE u.app = c.app AND u.environment = c.environment AND u.id = c.id)) AS unknown
            FROM receipts r WHERE account = ? ORDER BY id
            """, [account.text]
        ).map { row in
            guard let status = ReceiptAnswer.Status(rawValue: try row["status"]) else {
                throw LedgerUnavailable("unknown status of receipt \(try row["id"] as String)")
            }
            return try AccountAudit.ReceiptSummary(
                id: row["id"], status: status, isRejected: row["isRejected"], isAnswered: row["isAnswered"],
                isDue: row["isDue"], transactions: row["transactions"], unknown: row["unknown"])
        }
    }

    /// Compares the standings of an account with those of its folded history, and what they answer at many dates.
    ///
    /// - Returns: the differences; none for standings that are out of date, which no answer uses.
    func wrongStandings(of state: AccountState) throws -> [LedgerDifference] {
        guard let stored = try standings(of: [state.account])[state.account] else { return [] }
        guard let folded = state.condensed() else {
            return [LedgerDifference(account: state.account, "standings", stored: "\(stored.count)", folded: "none")]
        }
        let texts = try (stored: texts(of: stored), folded: texts(of: folded))
        let wrong = try Set(texts.stored.keys).union(texts.folded.keys).filter { texts.stored[$0] != texts.folded[$0] }
            .map { id in
                LedgerDifference(
                    account: state.account, scope: id.scope, "standing of \(try JSON.encode(id.name))",
                    stored: texts.stored[id] ?? "none", folded: texts.folded[id] ?? "none")
            }
        return wrong.sorted { $0.description < $1.description } + state.wrongAnswers(by: stored)
    }

    /// Stores the condensed histories of an account if they are not stored, out of date, or wrong.
    ///
    /// - Returns: whether they were stored.
    func rebuildStandings(of account: AccountID, in context: RecordingContext) throws -> Bool {
        let state = try ReceiptRecorder(self, context).state(of: account)
        guard let folded = state.condensed() else { return false }
        if let stored = try standings(of: [account])[account], try texts(of: stored) == texts(of: folded) {
            return false
        }
        try replaceStandings(of: account, by: folded)
        return true
    }

    private func texts(of histories: [HistoryID: CondensedHistory]) throws -> [HistoryID: String] {
        try histories.mapValues { try JSON.encode($0) }
    }
}

extension SQLRow {
    fileprivate func balanceKey() throws -> AccountAudit.BalanceKey {
        AccountAudit.BalanceKey(scope: try scope(), currency: try self["currency"])
    }
}
