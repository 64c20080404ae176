import Foundation
package import InAppPurchase

/// The summary of one history for one account: all that its entitlements need, however many purchases there are.
package struct CondensedHistory: Sendable {
    /// The version of the rule by which histories are condensed here, whatever the handler. Increase it when the same
    /// purchases give another result, or earn other credits: all purchases are then read once, and the difference is
    /// posted.
    private static let version = 1

    /// The products, in the order of their IDs.
    var products: [CondensedProduct] = []
    /// The use of introductory offers, by group of subscriptions.
    var offers: [String: IntroductoryOffers.Use] = [:]
    /// The original transactions whose renewals decide, in order.
    var renewing: [TransactionID] = []
    /// The standing of the account's own purchases; `nil` if it owns none, or if they have no terms.
    var standing: (any HandlerStanding)?

    /// A history without a purchase.
    init() {}

    /// The summary of a history, without a standing.
    ///
    /// - Parameter records: all of the history that the account owns or owned, or that credited it.
    init(summaryOf records: [RecordedTransaction], for account: AccountID) {
        for record in records { addFacts(of: record, for: account) }
    }

    /// Condenses a history.
    ///
    /// - Parameter records: as in ``init(summaryOf:for:)``.
    /// - Returns: `nil` if the handler does not condense.
    init?(of records: [RecordedTransaction], for account: AccountID) {
        self.init(summaryOf: records, for: account)
        guard condense(records, for: account) else { return nil }
    }

    /// Adds the standing of a history's records.
    ///
    /// - Returns: whether the handler condenses.
    mutating func condense(_ records: [RecordedTransaction], for account: AccountID) -> Bool {
        let purchases = records.filter { $0.owner == account }.compactMap { Purchase($0) }
        guard let first = purchases.first else { return true }
        guard let handler = type(of: first.terms.handler) as? any CondensingHandler.Type else { return false }
        standing = handler.standing(of: purchases)
        return true
    }

    /// Adds a purchase that was not recorded before, and is no restored copy.
    ///
    /// - Returns: whether it could be added; if not, the history is to be condensed from all its purchases.
    mutating func add(_ record: RecordedTransaction, for account: AccountID) -> Bool {
        if record.owner == account, let purchase = Purchase(record) {
            guard let handler = type(of: purchase.terms.handler) as? any CondensingHandler.Type else { return false }
            guard let sum = standing.map({ $0.adding(purchase) }) ?? handler.standing(of: [purchase]) else {
                return false
            }
            standing = sum
        }
        addFacts(of: record, for: account)
        return true
    }

    private mutating func addFacts(of record: RecordedTransaction, for account: AccountID) {
        let transaction = record.transaction
        if let index = products.firstIndex(where: { $0.product == transaction.productID }) {
            products[index].add(record, of: account)
        } else {
            let index = products.firstIndex { transaction.productID < $0.product } ?? products.endIndex
            products.insert(CondensedProduct(record, of: account), at: index)
        }
        guard transaction.mayRenew else { return }
        offers.add(transaction)
        guard record.owner == account, !renewing.contains(transaction.originalID) else { return }
        renewing = (renewing + [transaction.originalID]).sorted()
    }

    /// Takes the newer signature of a purchase that is otherwise unchanged.
    ///
    /// - Returns: whether anything changed.
    mutating func sign(_ transaction: Transaction) -> Bool {
        guard let index = products.firstIndex(where: { $0.product == transaction.productID }) else { return false }
        return products[index].sign(transaction)
    }

    /// Whether own purchases keep access to what was published meanwhile.
    var keeps: Bool { products.contains { $0.keeps } }

    /// Sets the times that a product keeps.
    mutating func setRetainedTimes(_ times: [RetainedTime], of product: ProductID) {
        guard let index = products.firstIndex(where: { $0.product == product }) else { return }
        products[index].retained = times
    }

    /// The version of the rule by which histories of a handler are condensed; `nil` if it does not condense.
    package static func version(of handler: (any ProductHandler.Type)?) -> String? {
        guard let handler else { return "\(version)" }
        return (handler as? any CondensingHandler.Type).map { "\(version).\($0.standingVersion)" }
    }
}

/// The form in the report of a check.
extension CondensedHistory: Encodable {
    private enum CodingKeys: CodingKey { case products, offers, renewing, standing }

    package func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(products, forKey: .products)
        if !offers.isEmpty { try members.encode(offers, forKey: .offers) }
        if !renewing.isEmpty { try members.encode(renewing, forKey: .renewing) }
        try standing?.encode(to: members.superEncoder(forKey: .standing))
    }
}

/// The standing of a history, whichever handler it is of.
protocol HandlerStanding: HistoryDecider, Encodable {
    /// See ``/InAppPurchase/CondensingHandler``.
    func adding(_ purchase: Purchase<Product>) -> (any HandlerStanding)?
    /// - Parameter encoder: for a standing that has no compact form.
    func write(to writer: inout CompactWriter, _ encoder: JSONEncoder) throws
}
