extension Product {
    /// Whether both are stored as the same terms; `false` too if the handler is not `Equatable`, since its settings
    /// cannot be compared then.
    package func hasTerms(of other: Product) -> Bool {
        guard id == other.id, type == other.type, credits == other.credits, trialCredits == other.trialCredits,
            upgradedCredits == other.upgradedCredits,
            bundles == other.bundles, group == other.group, level == other.level, ownership == other.ownership,
            afterExpiry == other.afterExpiry, let settings = handler as? any Equatable
        else { return false }
        return settings.isEqual(to: other.handler)
    }
}

extension Equatable {
    fileprivate func isEqual(to other: Any) -> Bool { (other as? Self) == self }
}
