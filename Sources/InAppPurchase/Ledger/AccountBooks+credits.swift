extension AccountBooks {
    /// A balance is the sum of its postings.
    var wrongBalances: [LedgerDifference] {
        var sums: [Purse: Int] = [:]
        for entry in postings { sums[entry.purse] = (sums[entry.purse] ?? 0).saturatingAdding(entry.amount) }
        return Set(sums.keys).union(balances.keys).sorted { $0.order < $1.order }.compactMap { purse in
            difference("balance of \(purse.currency)", in: purse.scope, kept: balances[purse] ?? 0, sums[purse] ?? 0)
        }
    }

    /// The credits posted for a product are those that its purchases earn.
    var wrongCredits: [LedgerDifference] {
        var posted: [Subject: Credits] = [:]
        for entry in postings {
            guard let product = entry.product else { continue }
            let subject = Subject(scope: entry.purse.scope, product: product)
            posted[subject, default: [:]].merge([entry.purse.currency: entry.amount]) { $0.saturatingAdding($1) }
        }
        let subjects = Set(state.records.map(\.subject)).union(posted.keys)
        return subjects.sorted { $0.order < $1.order }.flatMap { subject in
            let earned = state.credits(of: subject.product, in: subject.scope)
            let kept = posted[subject] ?? [:]
            return Set(earned.keys).union(kept.keys).sorted().compactMap { currency in
                difference(
                    "\(currency) posted for product \(subject.product)", in: subject.scope, kept: kept[currency] ?? 0,
                    earned[currency] ?? 0)
            }
        }
    }

    /// A spend has one posting, of its amount, which leaves the balance that was answered.
    var wrongSpends: [LedgerDifference] {
        var postings = spendPostings
        let wrong = spends.compactMap { recorded -> LedgerDifference? in
            let spend = recorded.spend
            let key = SpendKey(scope: spend.scope, key: spend.idempotencyKey)
            let folded = postings.removeValue(forKey: key) ?? []
            let kept = Spent(currency: spend.currency, amount: spend.amount, balance: recorded.balance)
            return folded == [kept] ? nil : difference(key, kept: [kept], folded)
        }
        let unknown = postings.sorted { $0.key.order < $1.key.order }
            .map { difference($0.key, kept: [], $0.value) }
        return wrong + unknown
    }

    private struct SpendKey: Hashable {
        var scope: Scope
        var key: String

        var order: (String, String, String) { (scope.app, scope.environment.rawValue, key) }
    }

    private struct Spent: Equatable {
        var currency: Currency
        var amount: Int
        /// After it.
        var balance: Int
    }

    /// What the postings say of every spend.
    private var spendPostings: [SpendKey: [Spent]] {
        var balances: [Purse: Int] = [:]
        var spent: [SpendKey: [Spent]] = [:]
        for entry in postings {
            let balance = (balances[entry.purse] ?? 0).saturatingAdding(entry.amount)
            balances[entry.purse] = balance
            guard entry.kind == Posting.Kind.spend.rawValue else { continue }
            spent[SpendKey(scope: entry.purse.scope, key: entry.cause ?? ""), default: []].append(
                Spent(
                    currency: entry.purse.currency, amount: entry.amount.saturatingMultiplied(by: -1), balance: balance)
            )
        }
        return spent
    }

    private func difference(_ key: SpendKey, kept: [Spent], _ folded: [Spent]) -> LedgerDifference {
        let text = { (all: [Spent]) in
            all.isEmpty
                ? "nothing"
                : all.map { "\($0.amount) \($0.currency), leaving \($0.balance)" }.joined(separator: " and ")
        }
        return LedgerDifference(
            account: state.account, scope: key.scope, "spend \(key.key)", kept: text(kept), folded: text(folded))
    }

    private func difference(_ subject: String, in scope: Scope, kept: Int, _ folded: Int) -> LedgerDifference? {
        kept == folded
            ? nil
            : LedgerDifference(
                account: state.account, scope: scope, subject, kept: String(kept), folded: String(folded))
    }
}

extension AccountBooks.Purse {
    fileprivate var order: (String, String, String) { (scope.app, scope.environment.rawValue, currency) }
}

extension Subject {
    fileprivate var order: (String, String, String) { (scope.app, scope.environment.rawValue, product) }
}
