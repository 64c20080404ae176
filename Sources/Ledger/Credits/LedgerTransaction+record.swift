import InAppPurchase

extension LedgerTransaction {
    /// Appends a posting that is neither a spend nor an adjustment, changes the balance, and records it in the audit
    /// trail.
    func record(_ posting: Posting) throws {
        try post(posting)
        var content: [String: JSONValue] = [
            "kind": .string(posting.kind.rawValue), "amount": .integer(posting.amount),
            "currency": .string(posting.currency.text), "app": .string(posting.scope.app.text),
            "environment": .string(posting.scope.environment.rawValue),
        ]
        content["product"] = posting.product.map { .string($0.text) }
        try append(
            AuditEntry(
                .creditsPosted, account: posting.account, subject: posting.cause, content: content, at: posting.date))
    }
}
