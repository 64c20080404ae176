import Foundation
package import InAppPurchase

extension ReceiptRecorder {
    /// Posts credits and records deliveries for every account that the transactions concern.
    ///
    /// - Parameters:
    ///   - unclaimed: those of the receipt that stay without an owner.
    ///   - others: transactions that are not in the receipt and got an owner through it.
    ///   - new: those that were not recorded before, which nobody has got yet.
    ///   - remedies: the result of the claim for original transactions of other accounts.
    ///   - changes: all that was written of transactions.
    func deliver(
        _ records: [RecordedTransaction], unclaimed: [Transaction] = [], besides others: [RecordedTransaction] = [],
        new: Set<Transaction.Key> = [], remedies: [OriginalTransaction.Key: TransferRemedy] = [:],
        changes: RecordedChanges, presentedBy account: AccountID, receipt: String
    ) throws -> RecordedReceipt {
        let keys = Set(records.map(\.transaction.key))
        let results = try deliver(records + others, .receipt(receipt), presentedBy: account, new: new, changes: changes)
        let earlier = try results[account]?.earlier ?? rows.deliveries(of: keys, to: account)
        let state = try results[account]?.state ?? answers(of: account)
        let lasting = try lastingRemedies(for: records, account)
        let answers = try records.map { record in
            // A delivery by a notification is reported as new by the first receipt that presents the transaction.
            let outcome = state.outcome(of: record, earlier: earlier[record.transaction.key]) { _ in .alreadyDelivered }
            if outcome == .delivered, case .notification = earlier[record.transaction.key] {
                try rows.write(
                    Delivery(
                        account: account, transaction: record.transaction.key, cause: .receipt(receipt),
                        date: context.date))
            }
            let original = record.transaction.originalTransactionKey
            let remedy = record.owner == account ? nil : remedies[original] ?? lasting[original] ?? .freshReceipt
            return TransactionAnswer(transaction: record.transaction, outcome: outcome, remedy: remedy)
        }
        let refused = unclaimed.map {
            TransactionAnswer(transaction: $0, outcome: .denied(.ownedByAnotherAccount), remedy: .freshReceipt)
        }
        let isConflict = !(answers + refused).isEmpty && records.allSatisfy { $0.owner != account }
        return RecordedReceipt(
            transactions: answers + refused, isConflict: isConflict,
            changesAnything: answers.contains { $0.outcome == .delivered }, state: state)
    }

    /// Returns the current outcome of a receipt's transactions. Writes nothing.
    ///
    /// - Parameter contents: the receipt's transactions, and the remedies that were answered when it was verified.
    package func review(
        _ contents: [(key: Transaction.Key, remedy: TransferRemedy?)], by account: AccountID, receipt: String
    ) throws -> RecordedReceipt {
        let keys = contents.map(\.key).unique
        let answered = Dictionary(contents.map { ($0.key, $0.remedy) }) { first, _ in first }
        let known = try rows.withCopies(rows.transactions(Set(keys)))
        let records = Dictionary(known.map { ($0.transaction.key, $0) }) { first, _ in first }
        let deliveries = try rows.deliveries(of: Set(keys), to: account)
        let unchanged = RecordedChanges(standings: try rows.standings(of: [account]))
        let state = try answers(of: account, for: known, unchanged)
        let lasting = try lastingRemedies(for: known, account)
        let answers = keys.compactMap { records[$0] }.map { record in
            let (key, original) = (record.transaction.key, record.transaction.originalTransactionKey)
            let outcome = state.outcome(of: record, earlier: deliveries[key]) { cause in
                cause == .receipt(receipt) ? .delivered : .alreadyDelivered
            }
            let remedy =
                lasting[original] == .support ? .support : (answered[key] ?? nil) ?? lasting[original] ?? .freshReceipt
            return TransactionAnswer(
                transaction: record.transaction, outcome: outcome, remedy: record.owner == account ? nil : remedy)
        }
        return RecordedReceipt(transactions: answers, isConflict: false, changesAnything: false, state: state)
    }

    /// Returns ``OriginalTransaction/lastingRemedy(_:at:)`` of the original transactions that the account does not own.
    private func lastingRemedies(
        for records: [RecordedTransaction], _ account: AccountID
    ) throws -> [OriginalTransaction.Key: TransferRemedy] {
        let others = records.filter { $0.owner != account }
        guard !others.isEmpty else { return [:] }
        let originals = try rows.originalTransactions(Set(others.map(\.transaction.originalTransactionKey)))
        return others.reduce(into: [:]) { remedies, record in
            let original = originals[record.transaction.originalTransactionKey]
            remedies[record.transaction.originalTransactionKey] = original?.lastingRemedy(
                record.terms?.ownership ?? .keep, at: context.date)
        }
    }

    /// Returns the whole answer to a receipt of these transactions.
    package func answer(_ receipt: String, isDuplicate: Bool, _ recorded: RecordedReceipt) throws -> ReceiptAnswer {
        let scope = recorded.transactions.first.map {
            Scope(app: $0.transaction.app, environment: $0.transaction.environment)
        }
        let account = recorded.state.account
        let provisional = try purchasesInForce(of: account)
        return ReceiptAnswer(
            receipt: receipt, status: recorded.isConflict ? .conflict : .verified, isDuplicate: isDuplicate,
            transactions: recorded.transactions, entitlements: try entitlements(recorded.state, with: provisional),
            balances: try scope.map { try rows.visibleBalances(of: account, in: $0, context) } ?? [:])
    }

    /// Gives terms to transactions that were recorded before the catalog had their product, and delivers them.
    ///
    /// - Returns: the number of these transactions.
    package func bindTerms() throws -> Int {
        let products = Dictionary(
            context.catalog.apps.map { ($0.bundleID, Set($0.products.map(\.id))) }
        ) { first, _ in first }
        let unbound = try rows.transactionsWithoutTerms(of: products)
        var bound: [RecordedTransaction] = []
        for var record in unbound {
            guard let terms = context.terms(for: record.transaction) else { continue }
            record.terms = terms
            bound.append(record)
            try rows.append(
                AuditEntry(
                    .termsBound, account: record.owner, subject: record.transaction.id.text,
                    content: ["product": .string(terms.id.text)], at: context.date))
        }
        let known = Dictionary(unbound.map { ($0.transaction.key, $0) }) { first, _ in first }
        try deliver(write(bound, over: known), .operator)
        return bound.count
    }

    /// Folds everything that is recorded of one account.
    package func state(of account: AccountID) throws -> AccountState {
        try state(of: account, rows.transactions(of: account))
    }

    /// - Parameter records: all transactions of the account.
    package func state(of account: AccountID, _ records: [RecordedTransaction]) throws -> AccountState {
        AccountState(
            account: account, records: records,
            renewals: try rows.renewals(
                Set(records.map(\.transaction).filter(\.mayRenew).map(\.originalTransactionKey))),
            context: try rows.context(context, for: account))
    }

    /// Posts credits and records deliveries for the accounts that own the records and those that were credited for
    /// them.
    ///
    /// - Parameters:
    ///   - presenter: the account whose receipt is the cause.
    ///   - new: those that were not recorded before, which nobody has got yet.
    ///   - changes: all that was written of transactions, the records among them; `nil` if that is not known, so that
    ///     all purchases of the accounts are read.
    @discardableResult
    func deliver(
        _ records: [RecordedTransaction], _ cause: Delivery.Cause, presentedBy presenter: AccountID? = nil,
        new: Set<Transaction.Key> = [], changes: RecordedChanges? = nil
    ) throws -> [AccountID: DeliveryResult] {
        var results: [AccountID: DeliveryResult] = [:]
        let keys = Set(records.map(\.transaction.key))
        for account in Set(records.flatMap { [$0.owner, $0.creditedTo] }) {
            let state =
                try changes.flatMap { try updateAccount(account, records, cause: cause.subject, $0) }
                ?? .full(updateAccount(account, records, cause: cause.subject))
            let earlier = try rows.deliveries(of: keys.subtracting(new), to: account)
            results[account] = DeliveryResult(state: state, earlier: earlier)
            var seen = Set(earlier.keys)
            let cause = account == presenter ? cause : cause.unreported
            for record in records
            where record.owner == account && !seen.contains(record.transaction.key)
                && state.access(by: record).isGranted
            {
                seen.insert(record.transaction.key)
                try rows.write(
                    Delivery(account: account, transaction: record.transaction.key, cause: cause, date: context.date))
                try writeUnfetched(record, of: account)
                try rows.queueFinish(of: record, context)
            }
        }
        if let changes { try updateStandings(besides: results.keys, changes) }
        return results
    }

    /// Records which bundles the devices of the account have yet to request. Only purchases in Production are paid for.
    private func writeUnfetched(_ record: RecordedTransaction, of account: AccountID) throws {
        guard record.transaction.environment == .production, let terms = record.terms else { return }
        for bundle in terms.bundles {
            try rows.write(
                UnfetchedPurchase(
                    account: account, bundle: bundle, product: terms.id, transaction: record.transaction.key,
                    date: context.date))
        }
    }

    /// Posts the credits that all purchases of an account have earned in the records' apps and environments.
    private func updateAccount(
        _ account: AccountID, _ records: [RecordedTransaction], cause: String?
    ) throws -> AccountState {
        let state = try state(of: account)
        for scope in Set(records.map(\.scope)) { try postCredits(of: state, in: scope, cause: cause) }
        try writeStandings(of: state)
        return state
    }

    /// Posts the credits of purchases, less those that were posted for them before, and applies refunds.
    func postCredits(
        _ purchases: CreditedPurchases, over before: CreditedPurchases, to account: AccountID, in scope: Scope,
        cause: String?
    ) throws {
        let changes = try post(
            purchases.credits[scope] ?? [:], over: before.credits[scope] ?? [:], to: account, in: scope, cause: cause
        ) { (purchases.refunded[scope] ?? []).kind(of: $0) }
        let ids = Set(((purchases.refunded[scope] ?? []) + (before.refunded[scope] ?? [])).map(\.id))
        guard !ids.isEmpty else { return }
        try applyRefunds(
            purchases.refunded[scope] ?? [], over: rows.refunds(of: account, in: scope, among: ids), of: account,
            in: scope, after: changes, cause: cause)
    }

    /// Posts the difference between the credits that the history earns and those that were posted for it, and applies
    /// refunds.
    func postCredits(
        of state: AccountState, in scope: Scope, cause: String?, takingBackAs kind: Posting.Kind? = nil
    ) throws {
        let posted = try rows.postedCredits(of: state.account, in: scope)
        let products = Set(state.records.filter { $0.scope == scope }.map(\.transaction.productID)).union(posted.keys)
        let earned = Dictionary(uniqueKeysWithValues: products.map { ($0, state.credits(of: $0, in: scope)) })
        let refunded = state.credited.refunded[scope] ?? []
        let changes = try post(earned, over: posted, to: state.account, in: scope, cause: cause) {
            kind ?? refunded.kind(of: $0)
        }
        try applyRefunds(
            refunded, over: rows.refunds(of: state.account, in: scope),
            of: state.account, in: scope, after: changes, cause: cause)
    }

    /// Posts the difference between the credits of products and those that were posted before.
    ///
    /// - Parameter kind: of what takes back the credits of a product.
    /// - Returns: what was posted.
    private func post(
        _ earned: [ProductID: Credits], over posted: [ProductID: Credits], to account: AccountID, in scope: Scope,
        cause: String?, takingBackAs kind: (ProductID) -> Posting.Kind
    ) throws -> [ProductID: Credits] {
        var changes: [ProductID: Credits] = [:]
        for product in Set(earned.keys).union(posted.keys).sorted() {
            let (after, before) = (earned[product] ?? [:], posted[product] ?? [:])
            for currency in Set(after.keys).union(before.keys).sorted() {
                let change = (after[currency] ?? 0).saturatingAdding(
                    (before[currency] ?? 0).saturatingMultiplied(by: -1))
                guard change != 0 else { continue }
                changes[product, default: [:]][currency] = change
                try post(
                    change, of: currency, to: account, for: product, in: scope, cause: cause,
                    as: change > 0 ? .credit : kind(product))
            }
        }
        return changes
    }

    private func post(
        _ change: Int, of currency: Currency, to account: AccountID, for product: ProductID, in scope: Scope,
        cause: String?, as kind: Posting.Kind
    ) throws {
        try rows.record(
            Posting(
                account: account, scope: scope, currency: currency, amount: change, kind: kind, product: product,
                cause: cause, date: context.date))
    }

    /// Records the transactions that waited for an owner as those of an original transaction that has one now, and
    /// delivers them.
    func give(_ waiting: [UnclaimedTransaction], of original: OriginalTransaction) throws {
        var changes = RecordedChanges(
            standings: try rows.standings(of: [original.owner]), known: [:], claimed: [original.key: original])
        let transactions = waiting.map(\.transaction)
        let purchases = try purchases(of: transactions, [:], [original.key: original], transactions.seatAdditions)
        let given = waiting.map { held in
            RecordedTransaction(
                transaction: held.transaction, purchase: purchases.name(of: held.transaction),
                terms: held.terms ?? context.terms(for: held.transaction), owner: original.owner,
                creditedTo: original.owner, creditsFrom: creditsFrom(held.transaction, nil))
        }
        let records = try write(given, over: [:], purchases, &changes)
        try deliver(records, .operator, new: Set(records.map(\.transaction.key)), changes: changes)
    }
}

extension Array where Element: Hashable {
    /// The elements without duplicates, in the order of their first occurrence.
    var unique: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }
}

extension [RefundedPurchase] {
    /// The kind of the postings that take back the credits of a product.
    fileprivate func kind(of product: ProductID) -> Posting.Kind {
        let refunds = filter { $0.product == product }
        return refunds.isEmpty || refunds.contains(where: \.isRefund) ? .refund : .upgraded
    }
}

extension AccountAnswers {
    /// Returns the outcome that the account is told of a recorded transaction.
    ///
    /// - Parameter delivered: the outcome for a delivery that was recorded before.
    fileprivate func outcome(
        of record: RecordedTransaction, earlier: Delivery.Cause?, delivered: (Delivery.Cause) -> Outcome
    ) -> Outcome {
        switch (record.owner == account, earlier) {
        case (false, nil): .denied(.ownedByAnotherAccount)
        case (false, _): .denied(.transferred)
        case (true, nil), (true, .notification): access(by: record).outcome
        case (true, let cause?): delivered(cause)
        }
    }
}

extension Access {
    fileprivate var outcome: Outcome {
        switch self {
        case .granted: .delivered
        case .denied(let reason): .denied(reason)
        }
    }
}
