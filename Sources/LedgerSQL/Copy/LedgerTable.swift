/// A table of the ledger, in any database.
struct LedgerTable: Sendable {
    var name: String
    /// The primary key's columns, which also define the order of rows.
    var key: [String]
    /// The column that the database numbers by itself.
    var numbered: String?
    /// Whether its rows follow from those of other tables. They are not copied: the next writes make them.
    var isDerived: Bool

    init(_ name: String, by key: String..., numbered: String? = nil, isDerived: Bool = false) {
        self.name = name
        self.key = key
        self.numbered = numbered
        self.isDerived = isDerived
    }

    /// The tables that are copied.
    static let copied = all.filter { !$0.isDerived }

    /// All tables, each after those that its rows refer to.
    static let all = [
        LedgerTable("accounts", by: "id"),
        LedgerTable("sessions", by: "token"),
        LedgerTable("accountKeys", by: "key"),
        LedgerTable("accountNotes", by: "account", "id"),
        LedgerTable("historyRevisions", by: "account", isDerived: true),
        LedgerTable("standings", by: "account", "history", isDerived: true),
        LedgerTable("adminTokens", by: "token"),
        LedgerTable("keyValues", by: "key"),
        LedgerTable("catalogRevisions", by: "number"),
        LedgerTable("terms", by: "hash"),
        LedgerTable("unavailableProducts", by: "day", "app", "product", "address"),
        LedgerTable("receiptHeaders", by: "id", numbered: "id"),
        LedgerTable("receipts", by: "id"),
        LedgerTable("receiptBytes", by: "subject", "kind", "day"),
        LedgerTable("receiptTransactions", by: "receipt", "app", "environment", "id"),
        LedgerTable("appTransactions", by: "account", "app", "environment", "id"),
        LedgerTable("notifications", by: "id"),
        LedgerTable("consumptionRequests", by: "notification"),
        LedgerTable("storeTasks", by: "app", "environment", "kind", "id"),
        LedgerTable("lines", by: "app", "environment", "originalID"),
        LedgerTable("joinedLines", by: "app", "environment", "originalID"),
        LedgerTable("lineMoves", by: "app", "environment", "originalID", "position"),
        LedgerTable("transactions", by: "app", "environment", "id"),
        LedgerTable("orderTransactions", by: "orderID", "app", "environment", "id"),
        LedgerTable("offerPeriods", by: "appTransactionID", "app", "environment", "id"),
        LedgerTable("unclaimedTransactions", by: "app", "environment", "id"),
        LedgerTable("provisionalPurchases", by: "app", "environment", "id"),
        LedgerTable("renewals", by: "app", "environment", "originalID"),
        LedgerTable("reportDays", by: "environment", "day", isDerived: true),
        LedgerTable("reportSums", by: "environment", "day", "app", isDerived: true),
        LedgerTable("reportChanges", by: "sequence", isDerived: true),
        LedgerTable("originalTransactionChecks", by: "app", "environment", "originalID"),
        LedgerTable("deliveries", by: "account", "app", "environment", "id"),
        LedgerTable("manifestDeliveries", by: "id"),
        LedgerTable("unfetchedBundles", by: "account", "bundle"),
        LedgerTable("postings", by: "sequence", numbered: "sequence"),
        LedgerTable("balances", by: "account", "app", "environment", "currency"),
        LedgerTable("startingCredits", by: "app", "since"),
        LedgerTable("startingCreditGrants", by: "account", "app", "environment"),
        LedgerTable("spends", by: "account", "app", "environment", "idempotencyKey"),
        LedgerTable("adjustments", by: "account", "app", "environment", "idempotencyKey"),
        LedgerTable("productGrants", by: "account", "id"),
        LedgerTable("refunds", by: "account", "app", "environment", "id", "currency"),
        LedgerTable("audit", by: "sequence", numbered: "sequence"),
        LedgerTable("auditSeals", by: "position"),
        LedgerTable("auditCheckpoints", by: "position"),
    ]
}
