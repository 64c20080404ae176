import Foundation
import InAppPurchase

/// The handlers' answers for all products in a set of records; a handler is called for each history once.
struct HandlerResults: Sendable {
    /// The answers for each history whose purchases have terms.
    private(set) var answers: [HistoryID: HandlerAnswers] = [:]
    /// The keys of the purchases that count if a product's credits follow the rule.
    private(set) var counted: Set<Transaction.Key> = []
    private(set) var refunded: [Scope: [RefundedPurchase]] = [:]
    private var answersByProduct: [Subject: [HandlerAnswer]] = [:]

    init(on records: [RecordedTransaction], renewals: [OriginalTransaction.Key: RenewalFacts], at date: Date) {
        for (id, records) in Dictionary(grouping: records, by: { HistoryID(of: $0) }) {
            let purchases = records.compactMap { Purchase($0) }
            guard let handler = purchases.first?.terms.handler else { continue }
            let answers = type(of: handler).decide(
                Set(purchases.map(\.transaction.productID)), purchases: purchases,
                renewals: Self.facts(of: purchases, in: renewals), at: date)
            self.answers[id] = answers
            counted.formUnion(answers.counted)
            refunded[id.scope, default: []] += answers.refunded
            for (product, answer) in answers.products {
                answersByProduct[Subject(scope: id.scope, product: product), default: []].append(answer)
            }
        }
    }

    private static func facts(
        of purchases: [Purchase<Product>], in renewals: [OriginalTransaction.Key: RenewalFacts]
    ) -> [TransactionID: RenewalFacts] {
        guard !renewals.isEmpty else { return [:] }
        let originals = Set(purchases.map(\.transaction.originalTransactionKey))
        return Dictionary(originals.compactMap { original in renewals[original].map { (original.originalID, $0) } }) {
            first, _ in first
        }
    }

    /// The answers of the histories with the product: one, unless its type or group was edited between two purchases.
    func entitlements(to subject: Subject) -> [Entitlement] { answersByProduct[subject]?.map(\.entitlement) ?? [] }

    /// Whether the handler gives the product's credits as ``/InAppPurchase/PurchaseHistory/credits(of:)`` counts them.
    func followsTheRule(_ subject: Subject) -> Bool {
        answersByProduct[subject]?.allSatisfy(\.followsTheRule) ?? false
    }
}

extension ProductHandler {
    /// Calls the handler with purchases whose terms are not typed yet; those of another type are left out.
    fileprivate static func decide(
        _ products: Set<ProductID>, purchases: [Purchase<Product>], renewals: [TransactionID: RenewalFacts],
        at date: Date
    ) -> HandlerAnswers {
        let own = purchases.compactMap { $0.typed(Self.self) }
        let history = PurchaseHistory(purchases: own, renewals: renewals)
        let answers = products.map { product in
            let entitlement = entitlement(to: product, given: history, at: date)
            return (
                product,
                HandlerAnswer(
                    entitlement: entitlement, followsTheRule: entitlement.credits == history.credits(of: product))
            )
        }
        return HandlerAnswers(
            products: Dictionary(answers) { first, _ in first },
            counted: history.purchases.filter { !$0.earnedCredits.isEmpty }.map(\.key),
            refunded: history.purchases.compactMap(\.refunded))
    }
}

/// A handler's answers for one history, for the date and the renewals that it was asked with.
struct HandlerAnswers: HistoryDecider {
    fileprivate var products: [ProductID: HandlerAnswer]
    /// See ``HandlerResults/counted``.
    fileprivate var counted: [Transaction.Key]
    fileprivate var refunded: [RefundedPurchase]

    func access(to product: ProductID, renewals: [TransactionID: RenewalFacts], at date: Date) -> Access? {
        products[product]?.entitlement.access
    }

    func runs(of product: ProductID) -> [DateInterval] { products[product]?.entitlement.runs ?? [] }
}

/// A handler's answer for one product.
private struct HandlerAnswer: Sendable {
    var entitlement: Entitlement
    /// Whether the credits are those that ``/InAppPurchase/PurchaseHistory/credits(of:)`` counts.
    var followsTheRule: Bool
}

/// A purchase whose credits are taken back, wholly or in part: by a refund, or since the customer left the period.
struct RefundedPurchase: Sendable {
    var transaction: Transaction.Key
    /// The name of the purchase, which all its copies share.
    var id: TransactionID
    var product: ProductID
    var date: Date
    /// The credits that are taken back; no amount is 0.
    var credits: Credits
    /// Whether a refund takes them back.
    var isRefund: Bool
}

extension Purchase {
    /// The refunded purchase; `nil` if no credits are taken back.
    var refunded: RefundedPurchase? {
        let (credits, revocation) = (creditsTakenBack, transaction.revocation)
        guard let date = revocation?.date ?? transaction.leftDate, transaction.ownershipType == .purchased,
            !credits.isEmpty
        else { return nil }
        return RefundedPurchase(
            transaction: transaction.key, id: name, product: transaction.productID,
            date: date, credits: credits, isRefund: revocation != nil)
    }
}

/// A product in an app and environment.
struct Subject: Hashable, Sendable {
    var scope: Scope
    var product: ProductID
}
