/// A transaction with the terms it was bought under.
public struct Purchase<Terms: Sendable>: Sendable {
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

    /// Those of all units.
    var allCredits: Credits { credits.mapValues { $0.saturatingMultiplied(by: transaction.quantity) } }

    /// What of ``allCredits`` a refund takes back.
    package var refundedCredits: Credits {
        guard let revocation = transaction.revocation else { return [:] }
        return allCredits.mapValues(revocation.share.of).filter { $0.value > 0 }
    }

    /// What of ``allCredits`` the player has earned: those of a purchase that was paid for, without what was refunded.
    package var earnedCredits: Credits {
        guard transaction.ownershipType == .purchased else { return [:] }
        return allCredits.merging(refundedCredits) { $0 - $1 }.filter { $0.value > 0 }
    }
}
