/// What the store vouches for: the facts read from a receipt after its signature, or the store's answer, was checked.
public struct VerifiedReceipt: Sendable {
    /// May be empty: a valid app receipt of somebody who bought nothing.
    public var transactions: [Transaction]
    public var renewals: [OriginalTransaction.Key: RenewalFacts]
    /// What the client's bytes prove by themselves; nil if they have no date, and for what the App Store told.
    public var evidence: PresentedEvidence?

    public init(
        transactions: [Transaction], renewals: [OriginalTransaction.Key: RenewalFacts] = [:],
        evidence: PresentedEvidence? = nil
    ) {
        self.transactions = transactions
        self.renewals = renewals
        self.evidence = evidence
    }
}
