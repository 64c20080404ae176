package import Foundation
package import InAppPurchase
package import Ledger

extension SQLLedger {
    package func accountReport(
        of account: AccountID, after position: PurchasePosition?, limit: Int, narrowedTo reach: AdminReach,
        in context: RecordingContext
    ) async throws -> AccountReport? {
        try await read { rows in
            guard let facts = try rows.account(account) else { return nil }
            let recorder = ReceiptRecorder(rows, context)
            let transactions = try rows.newestPurchases(of: account, in: reach, after: position, limit)
            let keys = Set(transactions.entries.map(\.transaction.originalTransactionKey))
            let originals = try rows.originalTransactionsWithAllTransfers(keys)
            let receipts = try rows.newestReceipts(of: account, in: reach, limit)
            return AccountReport(
                facts: facts, sessions: try rows.newestSessions(of: account, limit),
                entitlements: try recorder.entitlements(of: account), balances: try rows.balances(of: account),
                transactions: transactions,
                originalTransactions: originals.values.sorted { $0.key.order < $1.key.order },
                renewals: try rows.renewals(keys),
                appTransactions: try rows.newestAppTransactions(of: account, in: reach, limit),
                receipts: receipts, contested: try rows.contestedPurchases(in: receipts.entries, of: account),
                spends: try rows.newestSpends(of: account, in: reach, limit),
                adjustments: try rows.newestAdjustments(of: account, in: reach, limit),
                postings: try rows.newestPostings(of: account, in: reach, limit),
                grants: try rows.newestGrants(of: account, in: reach, limit), notes: try rows.notes(of: account)
            ).narrowed(to: reach)
        }
    }

    package func newestAccounts(after account: AccountID?, limit: Int) async throws -> [AccountFacts]? {
        try await read { rows in
            guard let account else { return try rows.newestAccounts(before: Int.max, "", limit) }
            guard let last = try rows.account(account) else { return nil }
            return try rows.newestAccounts(before: last.createdAt.milliseconds, account.text, limit)
        }
    }

    package func accounts(beginning prefix: AccountPrefix, limit: Int) async throws -> [AccountFacts] {
        try await read { rows in try rows.accounts(beginning: prefix, limit) }
    }

    package func testers(after position: TesterPosition?, limit: Int) async throws -> [AccountFacts] {
        try await read { rows in
            try rows.testers(before: position?.date.milliseconds ?? Int.max, position?.account.text ?? "", limit)
        }
    }

    package func account(ofReceipt id: String) async throws -> AccountID? {
        try await read { rows in
            try rows.one(
                """
                SELECT account FROM receipts WHERE id = ?1
                UNION ALL
                SELECT account FROM audit WHERE kind = 'receipt.unreadable' AND subject = ?1 LIMIT 1
                """, [id])?.account("account")
        }
    }

    package func purchases(
        of account: AccountID, in scope: Scope, after position: PurchasePosition?, limit: Int
    ) async throws -> [RecordedTransaction] {
        try await read { rows in try rows.purchases(of: account, in: scope, after: position, limit: limit) }
    }

    package func postings(
        of account: AccountID, in scope: Scope, currency: Currency, after position: Int?, limit: Int
    ) async throws -> PostingPage {
        try await read { rows in
            let scanned = try rows.all(
                "SELECT * FROM postings WHERE account = ? AND sequence < ? ORDER BY sequence DESC LIMIT ?",
                [account.text, position ?? Int.max, PostingPage.maximumScanned])
            var page = PostingPage(postings: [], next: nil)
            for row in scanned {
                let posting = try Posting(row)
                guard posting.scope == scope, posting.currency == currency else { continue }
                page.postings.append(posting)
                guard page.postings.count == limit else { continue }
                page.next = try row["sequence"]
                return page
            }
            if scanned.count == PostingPage.maximumScanned { page.next = try scanned.last?["sequence"] }
            return page
        }
    }
}

extension LedgerRows {
    fileprivate func balances(of account: AccountID) throws -> [Scope: Credits] {
        try all("SELECT * FROM balances WHERE account = ?", [account.text]).reduce(into: [:]) { balances, row in
            balances[try row.scope(), default: [:]][try row["currency"]] = try row["amount"]
        }
    }

    fileprivate func newestSessions(of account: AccountID, _ limit: Int) throws -> Newest<AccountReport.Session> {
        try newest("SELECT openedAt, closedAt FROM sessions", account, by: "openedAt DESC", limit) {
            try AccountReport.Session(openedAt: $0.date("openedAt"), closedAt: $0.dateIfAny("closedAt"))
        }
    }

    /// The newest purchases in any app and environment, those that it owned once among them.
    fileprivate func newestPurchases(
        of account: AccountID, in reach: AdminReach, after position: PurchasePosition?, _ limit: Int
    ) throws -> Newest<RecordedTransaction> {
        let count = limit.saturatingAdding(1)
        let own = try purchaseScopes(of: account).filter { reach.includes($0.app) }.flatMap { scope in
            try purchases(of: account, in: scope, after: position, limit: count)
        }
        let known = Set(own.map(\.transaction.key))
        let given = try purchasesGivenAway(by: account, in: reach, after: position, count).filter {
            !known.contains($0.transaction.key)
        }
        return Newest((own + given).sorted { $0.recency > $1.recency }, limit: limit)
    }

    /// The newest purchases of original transactions that were transferred from the account.
    private func purchasesGivenAway(
        by account: AccountID, in reach: AdminReach, after position: PurchasePosition?, _ count: Int
    ) throws -> [RecordedTransaction] {
        let arguments: SQLArguments = [
            account.text, position?.date.milliseconds ?? Int.max, position?.transaction ?? "",
        ]
        let found = try all(
            Self.givenAway(db.dialect, Self.isWithin(reach, "x.app")), arguments + Self.apps(of: reach) + [count])
        return try withCopies(transactions(Set(found.map { try $0.transactionKey() })))
    }

    private static func givenAway(_ dialect: SQLDialect, _ isWithin: String) -> SQLStatement {
        """
        SELECT DISTINCT x.app, x.environment, x.id, x.purchasedAt
        FROM lineMoves m \(dialect.using(index: "lineMovesFrom"))
        \(dialect.orderedJoin) lines l USING (app, environment, originalID)
        \(dialect.orderedJoin) transactions x \(dialect.using(index: "transactionsLine"))
            USING (app, environment, originalID)
        WHERE m.fromAccount = ? AND m.position >= l.forgottenMoves AND x.forgottenAt IS NULL
            AND (x.purchasedAt, x.id) < (?, ?)\(isWithin)
        ORDER BY x.purchasedAt DESC, x.id DESC LIMIT ?
        """
    }

    /// The apps and environments of an account's purchases: each app of those that credited it is found by one index
    /// step (a loose index scan), and those that it got from another account are few.
    private func purchaseScopes(of account: AccountID) throws -> Set<Scope> {
        var found = Set(
            try all("SELECT DISTINCT app, environment FROM lines WHERE owner = ? AND changedOwner = 1", [account.text])
                .map { try $0.scope() })
        var (app, environment) = ("", "")
        while let row = try one(
            """
            SELECT app, environment FROM transactions
            WHERE creditedTo = ? AND (app, environment) > (?, ?) ORDER BY app, environment LIMIT 1
            """, [account.text, app, environment])
        {
            let scope = try row.scope()
            (app, environment) = (scope.app.text, scope.environment.rawValue)
            found.insert(scope)
        }
        return found
    }

    fileprivate func newestReceipts(
        of account: AccountID, in reach: AdminReach, _ limit: Int
    ) throws -> Newest<ReceiptFacts> {
        try newest(
            "SELECT \(ReceiptFacts.columns) FROM receipts", account, reach, of: ReceiptFacts.appColumn,
            by: "recordedAt DESC, id DESC", limit, ReceiptFacts.init)
    }

    fileprivate func newestAppTransactions(
        of account: AccountID, in reach: AdminReach, _ limit: Int
    ) throws -> Newest<ShownAppTransaction> {
        try newest(
            "SELECT * FROM appTransactions", account, reach, by: "shownAt DESC, app, environment, id", limit,
            ShownAppTransaction.init)
    }

    fileprivate func newestSpends(
        of account: AccountID, in reach: AdminReach, _ limit: Int
    ) throws -> Newest<RecordedSpend> {
        try newest("SELECT * FROM spends", account, reach, by: "spentAt DESC, idempotencyKey", limit) {
            try RecordedSpend(
                spend: Spend(
                    account: account, scope: $0.scope(), currency: $0["currency"], amount: $0["amount"],
                    idempotencyKey: $0["idempotencyKey"]), balance: $0["balance"], date: $0.date("spentAt"))
        }
    }

    fileprivate func newestAdjustments(
        of account: AccountID, in reach: AdminReach, _ limit: Int
    ) throws -> Newest<RecordedAdjustment> {
        try newest(
            "SELECT * FROM adjustments", account, reach, by: "adjustedAt DESC, idempotencyKey", limit,
            RecordedAdjustment.init)
    }

    fileprivate func newestPostings(
        of account: AccountID, in reach: AdminReach, _ limit: Int
    ) throws -> Newest<Posting> {
        try newest("SELECT * FROM postings", account, reach, by: "sequence DESC", limit, Posting.init)
    }

    fileprivate func newestGrants(of account: AccountID, in reach: AdminReach, _ limit: Int) throws -> Newest<
        RecordedGrant
    > { try newest(Self.grants, account, reach, by: "grantedAt DESC, id", limit, grant) }

    /// The newest rows of an account that are within the reach.
    private func newest<Entry>(
        _ selection: String, _ account: AccountID, _ reach: AdminReach = .everything, of app: String = "app",
        by order: String, _ limit: Int, _ entry: (SQLRow) throws -> Entry
    ) throws -> Newest<Entry> {
        let rows = try all(
            "\(selection) WHERE account = ?\(Self.isWithin(reach, app)) ORDER BY \(order) LIMIT ?",
            [account.text] + Self.apps(of: reach) + [limit.saturatingAdding(1)])
        return Newest(try rows.map(entry), limit: limit)
    }

    /// The condition that an app is one of those of a token, which are arguments.
    private static func isWithin(_ reach: AdminReach, _ column: String) -> String {
        guard let apps = reach.apps else { return "" }
        return " AND \(column) IN (\(apps.map { _ in "?" }.joined(separator: ", ")))"
    }

    private static func apps(of reach: AdminReach) -> SQLArguments { (reach.apps ?? []).map(\.text) }

    /// The newest purchases that the account owns or that credited it.
    func purchases(
        of account: AccountID, in scope: Scope, after position: PurchasePosition?, limit: Int
    ) throws -> [RecordedTransaction] {
        let found = try all(
            Self.purchasePage,
            [
                account.text, scope.app, scope.environment.rawValue, position?.date.milliseconds ?? Int.max,
                position?.transaction ?? "", limit,
            ])
        let keys = try found.map { Transaction.Key(app: scope.app, environment: scope.environment, id: try $0["id"]) }
        let merged = try withCopies(transactions(Set(keys)))
        let records = Dictionary(merged.map { ($0.transaction.key, $0) }) { first, _ in first }
        return keys.compactMap { records[$0] }
    }

    /// The purchases that credited the account, in the order of the index, and those of the few original transactions
    /// that it got from another account.
    private static let purchasePage = SQLStatement { dialect in
        """
        SELECT id, purchasedAt FROM (
            SELECT id, purchasedAt FROM (
                SELECT t.id, t.purchasedAt FROM transactions t
                WHERE t.creditedTo = ?1 AND t.app = ?2 AND t.environment = ?3 AND t.forgottenAt IS NULL
                    AND (t.purchasedAt, t.id) < (?4, ?5) AND \(standsForPurchase(dialect))
                ORDER BY t.purchasedAt DESC, t.id DESC LIMIT ?6) credited
            UNION
            SELECT id, purchasedAt FROM (
                SELECT t.id, t.purchasedAt FROM lines l JOIN transactions t USING (app, environment, originalID)
                WHERE l.owner = ?1 AND l.changedOwner = 1 AND app = ?2 AND environment = ?3 AND t.forgottenAt IS NULL
                    AND (t.purchasedAt, t.id) < (?4, ?5) AND \(standsForPurchase(dialect))
                ORDER BY t.purchasedAt DESC, t.id DESC LIMIT ?6) acquired
        ) found ORDER BY purchasedAt DESC, id DESC LIMIT ?6
        """
    }

    /// Of the copies of a purchase one counts: the one that gave it its name or, where none of these is recorded, the
    /// one with the smallest ID. What added seats was paid for by itself.
    private static func standsForPurchase(_ dialect: SQLDialect) -> String {
        """
        (t.purchase IN (t.id, '\(RecordedTransaction.seatsSign)') OR t.purchase IS NULL AND (t.expiresAt IS NOT NULL OR t.id = t.originalID OR NOT EXISTS (
            SELECT 1 FROM transactions o \(dialect.using(index: "transactionsLine"))
            WHERE o.app = t.app AND o.environment = t.environment AND o.originalID = t.originalID
                AND o.expiresAt IS NULL AND o.purchase IS NULL AND o.forgottenAt IS NULL
                AND (o.id = o.originalID OR o.id < t.id))))
        """
    }
}

extension ReceiptFacts {
    /// Without the content, which may be megabytes.
    static let columns = """
        id, kind, status, rejection, bundleID, attempts, doubtfulAttempts, badRequestAttempts, trouble, recordedAt,
        answeredAt, retryAt, appVersion, versionExternalID, isBelowMinimum, \(appColumn) AS app
        """

    /// The app of its transactions; without any, the one that the client named.
    static let appColumn = "coalesce((SELECT min(app) FROM receiptTransactions WHERE receipt = receipts.id), bundleID)"

    init(_ row: SQLRow) throws {
        guard let kind = Receipt.Kind(rawValue: try row["kind"]),
            let status = ReceiptAnswer.Status(rawValue: try row["status"])
        else { throw LedgerUnavailable("unknown kind or status of a receipt") }
        try self.init(
            id: row["id"], kind: kind, status: status,
            rejection: (row["rejection"] as String?).flatMap(ReceiptRejection.Reason.init),
            bundleID: row["bundleID"], app: row["app"], appVersion: row["appVersion"],
            versionExternalID: row["versionExternalID"], isBelowMinimum: row["isBelowMinimum"] as Int != 0,
            attempts: Attempts(
                count: row["attempts"], ambiguous: row["doubtfulAttempts"], badRequests: row["badRequestAttempts"],
                trouble: (row["trouble"] as String?).flatMap(Attempts.Trouble.init)),
            recordedAt: row.date("recordedAt"), answeredAt: row.dateIfAny("answeredAt"),
            retryAt: row.dateIfAny("retryAt"))
    }
}

extension Posting {
    init(_ row: SQLRow) throws {
        guard let kind = Kind(rawValue: try row["kind"]) else { throw LedgerUnavailable("unknown kind of a posting") }
        try self.init(
            account: row.account("account"), scope: row.scope(), currency: row["currency"], amount: row["amount"],
            kind: kind, product: row["product"], cause: row["cause"], date: row.date("postedAt"))
    }
}

extension SQLLedger {
    package func activity(since begin: Date, until end: Date) async throws -> LedgerActivity {
        try await read { rows in
            let unsealed = try rows.one(
                """
                SELECT at FROM audit WHERE sequence > coalesce((SELECT max(sequence) FROM auditSeals), 0)
                ORDER BY sequence LIMIT 1
                """, [])
            return LedgerActivity(
                newestPurchases: try rows.newestPurchases(since: begin, until: end),
                newestNotifications: try rows.newestNotifications(), oldestUnsealed: try unsealed?.date("at"))
        }
    }

    package func lastDelivery(of app: BundleID?, before date: Date) async throws -> Date? {
        try await read { rows in
            guard let app else { return try rows.newestNotifications(before: date).values.max() }
            return try rows.newestNotifications(of: app, before: date).values.max()
        }
    }

    package func missingProducts() async throws -> [MissingProduct] {
        let purchases = try await read { rows in
            // After a partial refund the player still paid the rest.
            let percentage = rows.db.dialect.member("percentage", in: "revocation", of: "facts")
            let type = rows.db.dialect.member("productType", of: "facts")
            return try rows.all(
                """
                SELECT app, product, purchasedAt, expiresAt, \(type) AS type
                FROM transactions \(rows.db.dialect.using(index: "transactionsWithoutTerms"))
                WHERE terms IS NULL AND environment = 'Production' AND forgottenAt IS NULL
                    AND (purchase IS NULL OR purchase = id)
                    AND (revokedAt IS NULL OR CAST(\(percentage) AS BIGINT) < \(RefundShare.whole))
                LIMIT \(MissingProduct.maximumPurchases)
                """, []
            ).map(MissingProduct.init)
        }
        return MissingProduct.sums(of: purchases)
    }
}

extension MissingProduct {
    /// - Parameter row: a single purchase.
    fileprivate init(_ row: SQLRow) throws {
        let stated = try row.decodeIfPresent("type", as: String.self).map { ProductType(rawValue: $0) }
        let end = try row.dateIfAny("expiresAt")
        try self.init(
            app: row["app"], product: row["product"], purchases: 1, oldest: row.date("purchasedAt"),
            type: stated ?? (end == nil ? nil : .autoRenewable))
    }
}

extension LedgerRows {
    /// The purchases of the newest receipts of an account that others own, the newest first.
    fileprivate func contestedPurchases(
        in receipts: [ReceiptFacts], of account: AccountID
    ) throws -> [ContestedPurchase] {
        var sent: [Transaction.Key: (date: Date, remedy: TransferRemedy?)] = [:]
        for receipt in receipts.filter({ $0.status == .conflict }).prefix(ContestedPurchase.maximumReceipts) {
            for content in try contents(of: receipt.id) where sent[content.key] == nil {
                sent[content.key] = (receipt.recordedAt, content.remedy)
            }
        }
        let records = try transactions(Set(sent.keys)).filter { $0.owner != account }.sorted { $0.recency > $1.recency }
        return records.prefix(ContestedPurchase.maximumListed).compactMap { record in
            sent[record.transaction.key].map {
                ContestedPurchase(record: record, remedy: $0.remedy, sentAt: $0.date)
            }
        }
    }

    fileprivate func newestPurchases(since begin: Date, until end: Date) throws -> [BundleID: Date] {
        let found = try all(
            """
            SELECT app, max(purchasedAt) AS newest FROM (
                SELECT app, purchasedAt FROM transactions
                WHERE environment = 'Production' AND purchasedAt >= ? AND purchasedAt <= ?
                ORDER BY purchasedAt DESC LIMIT \(LedgerActivity.maximumPurchases)) AS found
            GROUP BY app
            """, [begin.milliseconds, end.milliseconds])
        return try found.reduce(into: [:]) { dates, row in dates[try row["app"]] = try row.date("newest") }
    }

    /// Finds each app, and the newest notification of each of its environments, by one index step.
    fileprivate func newestNotifications(before date: Date? = nil) throws -> [Scope: Date] {
        var newest: [Scope: Date] = [:]
        var last: BundleID?
        for _ in 0..<LedgerActivity.maximumApps {
            let next = try one(
                "SELECT min(app) AS app FROM notifications WHERE app > ? AND deliveredAt IS NOT NULL", [last ?? ""])
            guard let app: BundleID = try next?["app"] else { break }
            newest.merge(try newestNotifications(of: app, before: date)) { $1 }
            last = app
        }
        return newest
    }

    /// The newest notification of each environment of an app.
    fileprivate func newestNotifications(of app: BundleID, before date: Date?) throws -> [Scope: Date] {
        try Environment.known.reduce(into: [:]) { newest, environment in
            let row = try one(
                """
                SELECT max(deliveredAt) AS newest FROM notifications
                WHERE app = ? AND environment = ? AND deliveredAt IS NOT NULL AND deliveredAt < ?
                """, [app, environment.rawValue, date?.milliseconds ?? Int(Int64.max)])
            newest[Scope(app: app, environment: environment)] = try row?.dateIfAny("newest")
        }
    }
}
