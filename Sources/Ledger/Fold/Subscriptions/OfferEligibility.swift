package import InAppPurchase

/// The proof, from what is recorded, that a customer may get the offers of a subscription.
package struct OfferEligibility: Hashable, Sendable {
    /// The newest transaction of the product's group that the account bought and that was not refunded; `nil` if there
    /// is none. Only customers who have or had a subscription of the group get promotional offers.
    package var subscription: TransactionID?
    /// Whether the customer used no introductory offer of the group. Periods that do not say count as used.
    package var mayUseIntroductoryOffer: Bool
    /// A transaction, or an app transaction, that names the customer to the store; `nil` if none is recorded.
    package var customer: TransactionID?

    package init(subscription: TransactionID?, mayUseIntroductoryOffer: Bool, customer: TransactionID?) {
        self.subscription = subscription
        self.mayUseIntroductoryOffer = mayUseIntroductoryOffer
        self.customer = customer
    }
}

extension AccountState {
    /// Returns the eligibility for a product's offers, from the transactions that the account owns and bought itself.
    ///
    /// - Parameter appTransactionID: that of an app transaction that the account showed.
    package func offerEligibility(
        for product: Product, in scope: Scope, appTransactionID: String?
    ) -> OfferEligibility {
        let own = records.filter {
            $0.owner == account && $0.scope == scope && $0.transaction.ownershipType == .purchased
        }
        .sorted { $0.recency > $1.recency }
        let group = own.filter { $0.transaction.mayRenew && isInGroup($0, of: product) }
        let offers = IntroductoryOffers(group)
        return OfferEligibility(
            subscription: group.first { $0.transaction.revocation == nil }?.transaction.id,
            mayUseIntroductoryOffer: group.allSatisfy { offers.isUsed(inGroupOf: $0.transaction) == false },
            customer: own.first?.transaction.id ?? appTransactionID.map(TransactionID.init(stored:)))
    }

    /// Whether the record is of the product's group; a product without a group is alone in its own.
    private func isInGroup(_ record: RecordedTransaction, of product: Product) -> Bool {
        let id = record.transaction.productID
        if id == product.id { return true }
        let sold = context.catalog.product(id, of: record.transaction.app) ?? record.terms
        return product.group != nil && sold?.group == product.group
    }
}
