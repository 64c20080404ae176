public import Foundation

/// An app in one environment: what balances and entitlements are kept by.
public struct Scope: Hashable, Codable, Sendable {
    public var app: BundleID
    public var environment: Environment

    public init(app: BundleID, environment: Environment) {
        self.app = app
        self.environment = environment
    }
}

/// A product in an app and environment.
struct Subject: Hashable, Sendable {
    var scope: Scope
    var product: ProductID
}

/// What a decision depends on besides the ledger.
public struct RecordingContext: Sendable {
    public var catalog: Catalog
    /// Accounts that a `testers` sandbox setting admits.
    public var testers: Set<AccountID>
    public var date: Date
    /// How long a receipt that waits for the store gives access meanwhile; see ``ProvisionalPurchase``. 0: not at all,
    /// whatever was recorded.
    public var provisionalTime: TimeInterval
    /// How many bytes of receipts are kept.
    public var receiptBytes: ReceiptByteBudgets

    public init(
        catalog: Catalog, testers: Set<AccountID> = [], date: Date, provisionalTime: TimeInterval = 0,
        receiptBytes: ReceiptByteBudgets = ReceiptByteBudgets()
    ) {
        self.receiptBytes = receiptBytes
        self.catalog = catalog
        self.testers = testers
        self.date = date
        self.provisionalTime = provisionalTime
    }

    /// Whether a tester is admitted anywhere where another is not.
    var asksForTesters: Bool {
        catalog.apps.contains { app in
            app.sandbox.admits(tester: true, at: date) != app.sandbox.admits(tester: false, at: date)
        }
    }

    func admits(_ account: AccountID, to scope: Scope) -> Bool {
        if scope.environment == .production { return true }
        let sandbox = catalog.app(scope.app)?.sandbox ?? .nobody
        return sandbox.admits(tester: testers.contains(account), at: date)
    }
}

/// A transaction as the ledger holds it.
public struct RecordedTransaction: Sendable {
    public var transaction: Transaction
    /// The product when the transaction was first recorded; nil until the catalog has a product that fits.
    public var terms: Product?
    /// The owner of its original transaction.
    public var owner: AccountID
    /// Who got, and keeps, its credits: the original transaction's owner when the transaction was first recorded.
    public var creditedTo: AccountID

    public init(transaction: Transaction, terms: Product?, owner: AccountID, creditedTo: AccountID) {
        self.transaction = transaction
        self.terms = terms
        self.owner = owner
        self.creditedTo = creditedTo
    }

    var scope: Scope { Scope(app: transaction.app, environment: transaction.environment) }

    var subject: Subject { Subject(scope: scope, product: transaction.productID) }

    /// Whether a refund ended all access by it, as the handler of its terms has it.
    var isRevoked: Bool { terms?.handler.isRevoked(transaction) ?? (transaction.revocation != nil) }
}

/// What an account is entitled to by one product.
public struct ProductEntitlement: Hashable, Sendable {
    public var scope: Scope
    public var product: ProductID
    public var type: ProductType
    public var access: Access
    /// Those the product named at purchase and those it names now.
    public var bundles: [BundleName]
    /// Where access is denied: the bundles' versions that were published then stay open.
    public var kept: RetainedTimes

    public init(
        scope: Scope, product: ProductID, type: ProductType, access: Access, bundles: [BundleName],
        kept: RetainedTimes = RetainedTimes()
    ) {
        self.scope = scope
        self.product = product
        self.type = type
        self.access = access
        self.bundles = bundles
        self.kept = kept
    }
}

/// Everything that was recorded of an account, and the fold over it: entitlements are a function of recorded facts.
///
/// The fold is made once, when the value is; after it each question costs the same however long the history is.
public struct AccountState: Sendable {
    public let account: AccountID
    /// Those whose original transaction it owns or owned, and those that credited it.
    public let records: [RecordedTransaction]
    public let renewals: [OriginalTransaction.Key: RenewalFacts]
    public let context: RecordingContext
    let recordsByProduct: [Subject: [RecordedTransaction]]
    /// What the purchases it owns entitle to.
    let owned: HandlerResults
    /// What the purchases that credited it earned.
    let credited: HandlerResults
    private(set) var accesses: [Subject: Access] = [:]

    public init(
        account: AccountID, records: [RecordedTransaction], renewals: [OriginalTransaction.Key: RenewalFacts],
        context: RecordingContext
    ) {
        self.account = account
        self.records = records
        self.renewals = renewals
        self.context = context
        recordsByProduct = Dictionary(grouping: records, by: \.subject)
        let isOwner = { (record: RecordedTransaction) in record.owner == account }
        let isCredited = { (record: RecordedTransaction) in record.creditedTo == account }
        owned = HandlerResults(on: records.filter(isOwner), renewals: renewals, at: context.date)
        let isTheSame = records.allSatisfy { isOwner($0) == isCredited($0) }
        credited =
            isTheSame ? owned : HandlerResults(on: records.filter(isCredited), renewals: renewals, at: context.date)
        for subject in recordsByProduct.keys { accesses[subject] = decideAccess(to: subject) }
    }

    /// One for each product that the account has or had, in a stable order.
    public var entitlements: [ProductEntitlement] {
        recordsByProduct.map { subject, records in
            let latest = records.max { $0.transaction.purchaseDate < $1.transaction.purchaseDate }
            let type = latest?.terms?.type ?? latest?.transaction.provenType ?? ProductType(rawValue: "unknown")
            let access = access(to: subject.product, in: subject.scope)
            return ProductEntitlement(
                scope: subject.scope, product: subject.product, type: type, access: access,
                bundles: bundles(of: subject, records),
                kept: access.isGranted ? RetainedTimes() : keptTimes(of: subject))
        }
        .sorted { $0.order < $1.order }
    }

    private func bundles(of subject: Subject, _ records: [RecordedTransaction]) -> [BundleName] {
        let owned = records.filter { $0.owner == account }
        guard !owned.isEmpty else { return [] }
        let bought = owned.sorted { $0.transaction.purchaseDate < $1.transaction.purchaseDate }
            .flatMap { $0.terms?.bundles ?? [] }
        let now = context.catalog.product(subject.product, of: subject.scope.app)?.bundles ?? []
        return (bought + now).unique
    }
}

extension ProductEntitlement {
    fileprivate var order: (BundleID, String, ProductID) { (scope.app, scope.environment.rawValue, product) }
}
