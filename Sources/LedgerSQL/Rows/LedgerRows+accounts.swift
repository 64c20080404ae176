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

extension LedgerRows {
    /// Writes whose period it is, if it was bought with an offer; periods at the usual price use up nothing.
    func writeOfferPeriod(_ transaction: Transaction) throws {
        guard transaction.hasOffer, let customer = transaction.details?.appTransactionID else { return }
        try send(
            """
            INSERT INTO offerPeriods (appTransactionID, app, environment, id) VALUES (?, ?, ?, ?)
            ON CONFLICT DO NOTHING
            """, [customer, transaction.app, transaction.environment.rawValue, transaction.id])
    }

    /// The periods that the customers bought with an offer, whoever owns them; without those that a sandbox reset
    /// forgot.
    func offerPeriods(of customers: Set<String>, in scope: Scope) throws -> [OfferPeriod] {
        let keys = try customers.flatMap { customer in
            try all(
                """
                SELECT app, environment, id FROM offerPeriods
                WHERE appTransactionID = ? AND app = ? AND environment = ? ORDER BY id DESC LIMIT ?
                """, [customer, scope.app, scope.environment.rawValue, OfferPeriod.maximumOfCustomer]
            ).map { try $0.transactionKey() }
        }
        let recorded = try transactions(Set(keys)).map { OfferPeriod(transaction: $0.transaction, terms: $0.terms) }
        let unclaimed = try all(of: Set(keys), Self.unclaimedByKey).map { row in
            try OfferPeriod(transaction: facts.decode(row["facts"]), terms: product(of: row))
        }
        return recorded + unclaimed
    }

    private static let unclaimedByKey = KeyedSelection<Transaction.Key> { dialect in
        """
        SELECT u.facts, u.terms, m.product AS termsProduct
        FROM keys \(dialect.orderedJoin) unclaimedTransactions u USING (app, environment, id)
        LEFT JOIN terms m ON m.hash = u.terms
        WHERE NOT EXISTS (
            SELECT 1 FROM transactions t WHERE t.app = keys.app AND t.environment = keys.environment AND t.id = keys.id)
        """
    }

    /// The ID of the customer's app transaction in the newest signed data that the account showed since the date;
    /// `nil` if it showed none.
    func customer(of account: AccountID, in scope: Scope, since date: Date) throws -> String? {
        let app = try one(
            """
            SELECT id, signedAt FROM appTransactions
            WHERE account = ? AND app = ? AND environment = ? AND id <> '' AND coalesce(lastShownAt, shownAt) >= ?
            ORDER BY signedAt DESC LIMIT 1
            """, [account.text, scope.app, scope.environment.rawValue, date.milliseconds])
        let shown = try newestCustomer(among: try shownTransactions(by: account, in: scope, since: date))
        guard let app else { return shown?.id }
        if let shown, try shown.signedAt > app["signedAt"] { return shown.id }
        return try app["id"]
    }

    private func newestCustomer(
        among shown: [(key: Transaction.Key, signedAt: Int)]
    ) throws -> (id: String, signedAt: Int)? {
        let customers = try transactions(Set(shown.map(\.key))).reduce(into: [:]) { known, record in
            known[record.transaction.key] = record.transaction.details?.appTransactionID
        }
        return shown.lazy.compactMap { shown in customers[shown.key].map { ($0, shown.signedAt) } }.first
    }

    /// The signed transactions that the account sent since the date, the newest signature first.
    private func shownTransactions(
        by account: AccountID, in scope: Scope, since date: Date
    ) throws -> [(key: Transaction.Key, signedAt: Int)] {
        try all(
            """
            SELECT c.app, c.environment, c.id, c.signedAt
            FROM (
                SELECT id FROM receipts \(db.dialect.using(index: "receiptsAccount"))
                WHERE account = ? AND recordedAt >= ? AND kind = ? ORDER BY recordedAt DESC LIMIT ?
            ) found \(db.dialect.orderedJoin) receiptTransactions c ON c.receipt = found.id
            WHERE c.app = ? AND c.environment = ? ORDER BY c.signedAt DESC
            """,
            [
                account.text, date.milliseconds, Receipt.Kind.signedTransaction.rawValue,
                OfferPeriod.maximumShown, scope.app, scope.environment.rawValue,
            ]
        ).map { row in (try row.transactionKey(), try row["signedAt"]) }
    }
}

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
                (account, app, environment, id, isFirst, originalPurchasedAt, originalAppVersion, appVersion,
                versionExternalID, signedAt, shownAt)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT (account, app, environment, id) DO UPDATE SET
                originalPurchasedAt = excluded.originalPurchasedAt, originalAppVersion = excluded.originalAppVersion,
                appVersion = excluded.appVersion, versionExternalID = excluded.versionExternalID,
                signedAt = excluded.signedAt
            WHERE excluded.signedAt > appTransactions.signedAt
            """,
            [account.text] + key + [
                isFirst ? 1 : 0, appTransaction.originalPurchaseDate.milliseconds, appTransaction.originalAppVersion,
                appTransaction.appVersion?.text, appTransaction.appVersion?.externalID,
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

    func appVersion(shownBy account: AccountID, in scope: Scope) throws -> String? {
        try one(
            """
            SELECT appVersion FROM appTransactions
            WHERE account = ? AND app = ? AND environment = ? AND appVersion IS NOT NULL
            ORDER BY signedAt DESC LIMIT 1
            """, [account.text, scope.app, scope.environment.rawValue])?["appVersion"]
    }

    /// How long, in seconds, an app transaction that is shown again and again counts as shown at the same time.
    private static var shownAgainAfter: TimeInterval { 86_400 }

    private func firstAppTransaction(_ key: SQLArguments) throws -> SQLRow? {
        try one("SELECT 1 FROM appTransactions WHERE app = ? AND environment = ? AND id = ? AND isFirst = 1", key)
    }
}

extension ShownAppTransaction {
    init(_ row: SQLRow) throws {
        let (id, app): (String, BundleID) = try (row["id"], row["app"])
        let version = try (row["appVersion"] as String?).map {
            AppVersion(app: app, text: $0, externalID: try row["versionExternalID"])
        }
        try self.init(
            transaction: AppTransaction(
                id: id.isEmpty ? nil : id, app: app, environment: row.environment(),
                originalPurchaseDate: row.date("originalPurchasedAt"), originalAppVersion: row["originalAppVersion"],
                appVersion: version, signedDate: row.date("signedAt")), date: row.date("shownAt"),
            isFirst: row["isFirst"] as Int != 0)
    }
}
