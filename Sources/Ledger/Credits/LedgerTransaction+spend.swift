package import InAppPurchase

extension LedgerTransaction {
    /// Spends credits, once per idempotency key; see ``AccountLedger/spend(_:in:)``.
    package func spend(_ spend: Spend, in context: RecordingContext) throws -> Int {
        if let earlier = try self.spend(withKey: spend.idempotencyKey, of: spend.account, in: spend.scope) {
            guard earlier.spend == spend else { throw LedgerRefusal.idempotencyKeyReused }
            return earlier.balance
        }
        try giveStartingCredits(to: spend.account, in: spend.scope, context)
        let balance = try visibleBalances(of: spend.account, in: spend.scope, context)[spend.currency] ?? 0
        // A spend of less than 1 would be a gift.
        guard spend.amount >= 1, balance >= spend.amount else { throw LedgerRefusal.insufficientBalance }
        let rest = balance - spend.amount
        try post(
            Posting(
                account: spend.account, scope: spend.scope, currency: spend.currency, amount: -spend.amount,
                kind: .spend, cause: spend.idempotencyKey, date: context.date))
        try write(RecordedSpend(spend: spend, balance: rest, date: context.date))
        try append(
            AuditEntry(
                .creditsSpent, account: spend.account, subject: spend.idempotencyKey,
                content: [
                    "amount": .integer(spend.amount), "currency": .string(spend.currency.text),
                    "balance": .integer(rest),
                    "app": .string(spend.scope.app.text), "environment": .string(spend.scope.environment.rawValue),
                ], at: context.date))
        return rest
    }

    /// Returns the balances, with starting credits as if they were posted; empty if the app's sandbox setting does not
    /// admit the account to the scope.
    package func visibleBalances(
        of account: AccountID, in scope: Scope, _ context: RecordingContext
    ) throws -> Credits {
        guard try isAdmitted(account, to: scope, context) else { return [:] }
        let expected = try expectedStartingCredits(of: account, in: scope, context)
        return try balances(of: account, in: scope).merging(expected) { $0.saturatingAdding($1) }
    }

    /// Returns whether the app's sandbox setting admits the account to the scope.
    func isAdmitted(_ account: AccountID, to scope: Scope, _ context: RecordingContext) throws -> Bool {
        try context.admits(account, to: scope) || self.context(context, for: account).admits(account, to: scope)
    }

    /// Returns the context for one account: with the account among the testers if an administrator made it one.
    func context(_ context: RecordingContext, for account: AccountID) throws -> RecordingContext {
        guard context.asksForTesters, !context.testers.contains(account), try isTester(account) else { return context }
        var context = context
        context.testers.insert(account)
        return context
    }
}
