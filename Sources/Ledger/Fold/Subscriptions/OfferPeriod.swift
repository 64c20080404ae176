package import InAppPurchase

/// A period of a subscription that a customer bought with an offer, whichever account owns it.
package struct OfferPeriod: Sendable {
    /// The maximum number of a customer's periods that are looked at.
    package static let maximumOfCustomer = 1_000
    /// The maximum number of an account's latest receipts that are looked at for the customer.
    package static let maximumShown = 100

    package var transaction: Transaction
    /// The product when the transaction was recorded; `nil` if the catalog had none that fits.
    package var terms: Product?

    package init(transaction: Transaction, terms: Product?) {
        self.transaction = transaction
        self.terms = terms
    }

    /// The customer, by the ID of the app transaction.
    var customer: String? { transaction.details?.appTransactionID }

    /// The ID of the promotional offer; `nil` if it was bought with another offer, or without one.
    var promotionalOffer: String? {
        guard let offer = transaction.details?.offer, (offer.type ?? 2) == 2 else { return nil }
        return offer.id
    }
}

extension Transaction {
    /// Whether the period is a trial or was bought with an offer of any type.
    package var hasOffer: Bool {
        guard let details else { return false }
        return details.offer != nil || details.isTrialPeriod == true || details.isIntroductoryPeriod == true
    }
}
