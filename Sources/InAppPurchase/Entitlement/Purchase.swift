/// A transaction with the terms of its purchase.
public struct Purchase<Terms: Sendable>: Sendable {
    /// The verified transaction.
    public var transaction: Transaction
    /// The product's settings in force when the transaction was first recorded.
    public var terms: Terms
    /// The product's credits at that time, for one unit.
    public var credits: Credits

    public init(transaction: Transaction, terms: Terms, credits: Credits = [:]) {
        self.transaction = transaction
        self.terms = terms
        self.credits = credits
    }

    /// The credits of all units.
    var allCredits: Credits { credits.mapValues { $0.saturatingMultiplied(by: transaction.quantity) } }

    /// The part of ``allCredits`` that a refund takes back.
    package var refundedCredits: Credits {
        guard let revocation = transaction.revocation else { return [:] }
        return allCredits.mapValues(revocation.share.of).filter { $0.value > 0 }
    }

    /// The part of ``allCredits`` that the player has earned: none unless the product was bought, and less the refunded
    /// part.
    package var earnedCredits: Credits {
        guard transaction.ownershipType == .purchased else { return [:] }
        return allCredits.merging(refundedCredits) { $0 - $1 }.filter { $0.value > 0 }
    }
}
