/// A purchase with its terms.
public struct Purchase<Terms: Sendable>: Sendable {
    /// The verified transaction; of a purchase that has several IDs, what its copies state together.
    public var transaction: Transaction
    /// The name of the purchase, which all its copies share.
    package var name: TransactionID
    /// The product's settings in force when the transaction was first recorded.
    public var terms: Terms
    /// The product's credits at that time, for one unit.
    public var credits: Credits
    /// The credits of one unit that are taken back since the customer left the period before its end.
    package var creditsLeft: Credits = [:]

    /// A purchase of which no other copy is known.
    public init(transaction: Transaction, terms: Terms, credits: Credits = [:]) {
        self.init(transaction, named: transaction.purchaseID, terms: terms, credits: credits)
    }

    package init(_ transaction: Transaction, named name: TransactionID, terms: Terms, credits: Credits) {
        self.transaction = transaction
        self.name = name
        self.terms = terms
        self.credits = credits
    }

    /// The key of the purchase, the same for all its copies.
    package var key: Transaction.Key { transaction.key(ofPurchase: name) }

    /// The credits of all units.
    var allCredits: Credits { credits.mapValues { $0.saturatingMultiplied(by: transaction.units) } }

    /// The part of ``allCredits`` that is taken back: by a refund, or since the customer left the period, the larger of
    /// the two.
    package var creditsTakenBack: Credits {
        let left = creditsLeft.mapValues { $0.saturatingMultiplied(by: transaction.units) }
        guard let revocation = transaction.revocation else { return left }
        return allCredits.mapValues(revocation.share.of).merging(left) { max($0, $1) }.filter { $0.value > 0 }
    }

    /// The part of ``allCredits`` that the player has earned: none unless the product was bought, and less what is
    /// taken back.
    package var earnedCredits: Credits {
        guard transaction.ownershipType == .purchased else { return [:] }
        return allCredits.merging(creditsTakenBack) { $0 - $1 }.filter { $0.value > 0 }
    }
}
