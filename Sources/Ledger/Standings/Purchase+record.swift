import InAppPurchase

extension Purchase<Product> {
    init?(_ record: RecordedTransaction) {
        guard let terms = record.terms else { return nil }
        self.init(
            record.transaction, named: record.purchase ?? record.transaction.purchaseID, terms: terms, credits: [:])
        guard record.creditsFrom == nil else { return }
        credits = terms.credits(for: record.transaction)
        creditsLeft = terms.creditsLeft(of: record.transaction)
    }

    /// The purchase with the terms of a handler; `nil` if they are of another one.
    func typed<Handler: ProductHandler>(_ handler: Handler.Type) -> Purchase<Handler>? {
        (terms.handler as? Handler).map {
            var purchase = Purchase<Handler>(transaction, named: name, terms: $0, credits: credits)
            purchase.creditsLeft = creditsLeft
            return purchase
        }
    }
}
