import Foundation
import InAppPurchase

/// The handlers' results for all products in a set of records; a handler is called for each history once.
struct HandlerResults: Sendable {
    private var answers: [Subject: [(newest: PurchaseStamp, answer: HistoryAnswer)]] = [:]
    /// The keys of the purchases that count if a product's credits follow the rule.
    private(set) var counted: Set<Transaction.Key> = []
    private(set) var refunded: [Scope: [RefundedPurchase]] = [:]

    /// The identity of a history.
    private struct HistoryID: Hashable {
        var scope: Scope
        var key: Product.HistoryKey
    }

    init(on records: [RecordedTransaction], renewals: [OriginalTransaction.Key: RenewalFacts], at date: Date) {
        var histories: [HistoryID: [Purchase<Product>]] = [:]
        for record in records {
            guard let purchase = Purchase(record) else { continue }
            let id = HistoryID(scope: record.scope, key: purchase.terms.historyKey)
            histories[id, default: []].append(purchase)
        }
        for (id, purchases) in histories {
            decide(purchases, renewals: Self.facts(of: purchases, in: renewals), scope: id.scope, at: date)
        }
        for subject in answers.keys { answers[subject]?.sort { $1.newest.isLater(than: $0.newest) } }
    }

    private mutating func decide(
        _ purchases: [Purchase<Product>], renewals: [TransactionID: RenewalFacts], scope: Scope, at date: Date
    ) {
        guard let handler = purchases.first?.terms.handler else { return }
        let newest = Dictionary(
            purchases.map { ($0.transaction.productID, PurchaseStamp($0.transaction)) },
            uniquingKeysWith: { $1.isLater(than: $0) ? $1 : $0 })
        let products = Set(newest.keys)
        let answer = type(of: handler).decide(products, purchases: purchases, renewals: renewals, at: date)
        counted.formUnion(answer.counted)
        refunded[scope, default: []] += answer.refunded
        for (product, purchase) in newest {
            guard let answer = answer.products[product] else { continue }
            answers[Subject(scope: scope, product: product), default: []].append((purchase, answer))
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

    /// The answers of the histories with the product, that of its newest purchase last: one, unless its type or group
    /// was edited between two purchases.
    func entitlements(to subject: Subject) -> [Entitlement] { answers[subject]?.map(\.answer.entitlement) ?? [] }

    /// Whether the handler gives the product's credits as ``/InAppPurchase/PurchaseHistory/credits(of:)`` counts them.
    func followsTheRule(_ subject: Subject) -> Bool { answers[subject]?.allSatisfy(\.answer.followsTheRule) ?? false }
}

extension ProductHandler {
    /// Calls the handler with purchases whose terms are not typed yet; those of another type are left out.
    ///
    /// - Returns: an answer for each product, the purchases that count for credits by the rule, and those whose
    ///   credits a refund takes back.
    static func decide(
        _ products: Set<ProductID>, purchases: [Purchase<Product>], renewals: [TransactionID: RenewalFacts],
        at date: Date
    ) -> HandlerResult {
        let own = purchases.compactMap { $0.typed(Self.self) }
        let history = PurchaseHistory(purchases: own, renewals: renewals)
        let answers = products.map { product in
            let entitlement = entitlement(to: product, given: history, at: date)
            return (
                product,
                HistoryAnswer(
                    entitlement: entitlement, followsTheRule: entitlement.credits == history.credits(of: product))
            )
        }
        let counted = history.purchases.filter { !$0.earnedCredits.isEmpty }.map(\.key)
        return HandlerResult(
            products: Dictionary(answers) { first, _ in first }, counted: counted,
            refunded: history.purchases.compactMap(\.refunded))
    }
}

/// A handler's answers for one history.
struct HandlerResult: Sendable {
    var products: [ProductID: HistoryAnswer]
    /// See ``HandlerResults/counted``.
    var counted: [Transaction.Key]
    var refunded: [RefundedPurchase]
}

/// A handler's answer for one product.
struct HistoryAnswer: Sendable {
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
