package import Foundation
package import InAppPurchase

/// The proof, from what is recorded, that a customer may get the offers of a subscription.
package struct OfferEligibility: Hashable, Sendable {
    /// How long, in seconds, an account that showed signed data of a customer counts as that customer's.
    package static let customerLifetime: TimeInterval = 30 * 86_400

    /// The newest transaction of the product's group that the account bought and that was not refunded; `nil` if there
    /// is none. Only customers who have or had a subscription of the group get promotional offers.
    package var subscription: TransactionID?
    /// Whether a subscription of the group gives the account access now.
    package var isActive = false
    /// The promotional offers that the customer used in recorded periods.
    package var usedOffers: Set<String> = []
    /// Whether the customer used no introductory offer of the group. Periods that do not say count as used.
    package var mayUseIntroductoryOffer: Bool
    /// The ID of the customer's app transaction, which names the customer to the store; in Xcode also that of a
    /// transaction. `nil` if the account showed none.
    package var customer: TransactionID?

    package init(subscription: TransactionID?, mayUseIntroductoryOffer: Bool, customer: TransactionID?) {
        self.subscription = subscription
        self.mayUseIntroductoryOffer = mayUseIntroductoryOffer
        self.customer = customer
    }
}

extension AccountState {
    /// Returns the eligibility for a product's offers.
    ///
    /// Introductory offers are the customer's, whichever accounts own the periods. Periods of the account that name no
    /// customer count as the customer's; in Xcode, which has no customers, the account's alone count.
    ///
    /// - Parameters:
    ///   - shown: the customer of the newest signed data that the account showed lately.
    ///   - periods: those that this customer, and the customer of ``subscriber(of:in:)``, bought with an offer.
    package func offerEligibility(
        for product: Product, in scope: Scope, shown: String?, _ periods: [OfferPeriod]
    ) -> OfferEligibility {
        let own = bought(in: scope)
        let group = own.filter { isInGroup($0, of: product) }
        let subscription = subscriber(of: product, in: scope)
        let isInXcode = scope.environment == .xcode
        let bought = { (customer: String?) in
            isInXcode
                ? own : own.filter { $0.customer == nil } + periods.filter { $0.customer == customer && $0.isPurchased }
        }
        let introductory = bought(shown).filter { isInGroup($0, of: product) }
        var eligibility = OfferEligibility(
            subscription: subscription?.id.stated,
            mayUseIntroductoryOffer: introductory.allSatisfy { $0.transaction.offerUse == .unused },
            customer: (isInXcode ? own.first?.transaction.id : nil) ?? shown.map(TransactionID.init(stored:)))
        eligibility.isActive = group.contains { access(to: $0.transaction.productID, in: scope).isGranted }
        eligibility.usedOffers = Set(
            bought(subscription?.details?.appTransactionID ?? shown).compactMap(\.promotionalOffer))
        return eligibility
    }

    /// The newest transaction of the product's group that the account bought and that was not refunded.
    package func subscriber(of product: Product, in scope: Scope) -> Transaction? {
        bought(in: scope).first { isInGroup($0, of: product) && $0.transaction.revocation == nil }?.transaction
    }

    /// The purchases that the account owns and made itself, the newest first.
    private func bought(in scope: Scope) -> [OfferPeriod] {
        records.filter {
            $0.owner == account && $0.scope == scope && $0.transaction.ownershipType == .purchased
        }
        .sorted { $0.recency > $1.recency }
        .map { OfferPeriod(transaction: $0.transaction, terms: $0.terms) }
    }

    private func isInGroup(_ period: OfferPeriod, of product: Product) -> Bool {
        product.sharesOffers(with: period.transaction, under: period.terms, in: context.catalog)
    }
}

extension OfferPeriod {
    fileprivate var isPurchased: Bool { transaction.ownershipType == .purchased }
}

extension Product {
    /// Whether a transaction is a period of the product's group; a product without a group is alone in its own.
    package func sharesOffers(with transaction: Transaction, under terms: Product?, in catalog: Catalog) -> Bool {
        guard transaction.mayRenew else { return false }
        if transaction.productID == id { return true }
        let sold = catalog.product(transaction.productID, of: transaction.app) ?? terms
        return group != nil && sold?.group == group
    }

    /// Whether the store's word on the latest period of a subscription leaves the introductory offer to the customer.
    ///
    /// - Parameter knowsBeginning: whether the first period of the subscription is recorded, which tells of its offer.
    package func leavesIntroductoryOffer(_ latest: Transaction, in catalog: Catalog, knowsBeginning: Bool) -> Bool {
        guard latest.ownershipType == .purchased, sharesOffers(with: latest, under: nil, in: catalog) else {
            return true
        }
        return latest.offerUse == .unused && (knowsBeginning || latest.id == latest.originalID)
    }
}
