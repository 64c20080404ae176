import InAppPurchase

extension AccountAudit {
    /// The balances that are not the sum of their postings.
    var wrongBalances: [LedgerDifference] {
        var sums: [BalanceKey: Int] = [:]
        for entry in postings { sums[entry.balanceKey] = (sums[entry.balanceKey] ?? 0).saturatingAdding(entry.amount) }
        return Set(sums.keys).union(balances.keys).sorted { $0.order < $1.order }.compactMap { balanceKey in
            difference(
                "balance of \(balanceKey.currency)", in: balanceKey.scope, stored: balances[balanceKey] ?? 0,
                sums[balanceKey] ?? 0)
        }
    }

    /// The products whose posted credits are not those that their purchases earn.
    var wrongCredits: [LedgerDifference] {
        var posted: [Subject: Credits] = [:]
        for entry in postings {
            guard let product = entry.product else { continue }
            let subject = Subject(scope: entry.balanceKey.scope, product: product)
            posted[subject, default: [:]].merge([entry.balanceKey.currency: entry.amount]) { $0.saturatingAdding($1) }
        }
        let subjects = Set(state.records.map(\.subject)).union(posted.keys)
        return subjects.sorted { $0.order < $1.order }.flatMap { subject in
            let earned = state.credits(of: subject.product, in: subject.scope)
            let stored = posted[subject] ?? [:]
            return Set(earned.keys).union(stored.keys).sorted().compactMap { currency in
                difference(
                    "\(currency) posted for product \(subject.product)", in: subject.scope,
                    stored: stored[currency] ?? 0, earned[currency] ?? 0)
            }
        }
    }

    /// The starting credits whose postings are not those that were given.
    var wrongStartingCredits: [LedgerDifference] {
        var folded: [BalanceKey: Int] = [:]
        for entry in postings where entry.kind == Posting.Kind.starting.rawValue {
            folded[entry.balanceKey] = (folded[entry.balanceKey] ?? 0).saturatingAdding(entry.amount)
        }
        let given = startingCredits.flatMap { grant in
            grant.credits.map { (BalanceKey(scope: grant.scope, currency: $0.key), $0.value) }
        }
        let stored = Dictionary(given) { $0.saturatingAdding($1) }
        return Set(folded.keys).union(stored.keys).sorted { $0.order < $1.order }.compactMap { key in
            difference("starting \(key.currency)", in: key.scope, stored: stored[key] ?? 0, folded[key] ?? 0)
        }
    }

    /// The spends and adjustments that do not have exactly one posting, of their amount, that leaves the balance that
    /// was answered; and postings without a spend or adjustment.
    var wrongActs: [LedgerDifference] {
        var postings = postedActs
        let wrong = recordedActs.compactMap { key, stored -> LedgerDifference? in
            let folded = postings.removeValue(forKey: key) ?? []
            return folded == [stored] ? nil : difference(key, stored: [stored], folded)
        }
        let unknown = postings.sorted { $0.key.order < $1.key.order }
            .map { difference($0.key, stored: [], $0.value) }
        return wrong + unknown
    }

    private struct ActKey: Hashable {
        var kind: Posting.Kind
        var scope: Scope
        /// The idempotency key, chosen by the client.
        var key: String

        var order: (String, String, String, String) { (kind.rawValue, scope.app.text, scope.environment.rawValue, key) }
    }

    private struct Act: Equatable {
        var currency: Currency
        /// The amount; of a spend the credits that were spent, as a positive number.
        var amount: Int
        /// The balance after it.
        var balance: Int
    }

    private var recordedActs: [(key: ActKey, act: Act)] {
        spends.map { recorded in
            let spend = recorded.spend
            return (
                ActKey(kind: .spend, scope: spend.scope, key: spend.idempotencyKey),
                Act(currency: spend.currency, amount: spend.amount, balance: recorded.balance)
            )
        }
            + adjustments.map { recorded in
                let adjustment = recorded.adjustment
                return (
                    ActKey(kind: .adjustment, scope: adjustment.scope, key: adjustment.idempotencyKey),
                    Act(currency: adjustment.currency, amount: adjustment.amount, balance: recorded.balance)
                )
            }
    }

    /// The spends and adjustments according to the postings.
    private var postedActs: [ActKey: [Act]] {
        var balances: [BalanceKey: Int] = [:]
        var acts: [ActKey: [Act]] = [:]
        for entry in postings {
            let balance = (balances[entry.balanceKey] ?? 0).saturatingAdding(entry.amount)
            balances[entry.balanceKey] = balance
            guard let kind = Posting.Kind(rawValue: entry.kind), kind == .spend || kind == .adjustment else { continue }
            let amount = kind == .spend ? entry.amount.saturatingMultiplied(by: -1) : entry.amount
            acts[ActKey(kind: kind, scope: entry.balanceKey.scope, key: entry.cause ?? ""), default: []].append(
                Act(currency: entry.balanceKey.currency, amount: amount, balance: balance))
        }
        return acts
    }

    private func difference(_ key: ActKey, stored: [Act], _ folded: [Act]) -> LedgerDifference {
        let text = { (all: [Act]) in
            all.isEmpty
                ? "nothing"
                : all.map { "\($0.amount) \($0.currency), leaving \($0.balance)" }.joined(separator: " and ")
        }
        return LedgerDifference(
            account: state.account, scope: key.scope, "\(key.kind.rawValue) \(key.key)", stored: text(stored),
            folded: text(folded))
    }

    private func difference(_ subject: String, in scope: Scope, stored: Int, _ folded: Int) -> LedgerDifference? {
        stored == folded
            ? nil
            : LedgerDifference(
                account: state.account, scope: scope, subject, stored: String(stored), folded: String(folded))
    }
}

extension AccountAudit.BalanceKey {
    fileprivate var order: (String, String, String) { (scope.app.text, scope.environment.rawValue, currency.text) }
}

extension Subject {
    fileprivate var order: (String, String, String) { (scope.app.text, scope.environment.rawValue, product.text) }
}
