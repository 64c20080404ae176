package import Foundation
package import InAppPurchase

extension ReceiptRecorder {
    /// Returns the account's entitlements, including provisional access by receipts that wait for the App Store and
    /// what administrators gave.
    package func entitlements(of account: AccountID) throws -> [ProductEntitlement] {
        try withGrants(bought(by: account, with: purchasesInForce(of: account)), of: account)
    }

    /// Returns the entitlements of an account's state, extended by the purchases of pending receipts and what
    /// administrators gave.
    func entitlements(_ state: AccountAnswers, with provisional: [ProvisionalPurchase]) throws -> [ProductEntitlement] {
        let bought =
            switch state {
            case .full(let state): state.entitlements(with: provisional)
            case .condensed where !provisional.isEmpty: try bought(by: state.account, with: provisional)
            case .condensed: state.entitlements
            }
        return try withGrants(bought, of: state.account)
    }

    /// Returns the entitlements by recorded purchases and by those of pending receipts. While the store does not answer
    /// every player may have some, so that these are added to a copy of the condensed histories.
    func bought(by account: AccountID, with provisional: [ProvisionalPurchase]) throws -> [ProductEntitlement] {
        let standings = try rows.standings(of: [account])
        switch try answers(of: account, for: [], RecordedChanges(standings: standings)) {
        case .full(let state): return state.entitlements(with: provisional)
        case .condensed(let state, _):
            guard !provisional.isEmpty else { return state.all }
            guard let wider = try condensed(account, standings, with: provisional) else {
                return try self.state(of: account).entitlements(with: provisional)
            }
            return state.all.widened(to: wider.all, by: provisional, of: account, in: state.context)
        }
    }

    /// Returns the account as if the purchases were recorded; `nil` if all of its purchases are to be read for that.
    private func condensed(
        _ account: AccountID, _ standings: [AccountID: [HistoryID: CondensedHistory]],
        with provisional: [ProvisionalPurchase]
    ) throws -> AccountEntitlements? {
        let keys = Set(provisional.compactMap { $0.record(of: account).purchaseKey })
        guard keys.count == provisional.count, try rows.transactions(ofPurchases: keys).isEmpty else { return nil }
        let originals = Set(provisional.map(\.transaction.originalTransactionKey))
        let known = try rows.originalTransactions(originals)
        var changes = RecordedChanges(standings: standings, known: known, claimed: [:])
        for purchase in provisional {
            changes.add(RecordedChanges.Change(before: nil, after: purchase.record(of: account)))
        }
        guard let update = HistoryUpdate(of: account, by: changes), update.outdated.isEmpty else { return nil }
        // Renewals count by recorded purchases alone: not those of an original transaction that is not the account's.
        let others = originals.filter { known[$0]?.owner != account }
        let renewing = AccountEntitlements.renewing(in: update.histories).subtracting(others)
        return AccountEntitlements(
            account: account, histories: update.histories, renewals: try rows.renewals(renewing),
            context: try rows.context(context, for: account))
    }

    /// Gives provisional access; see ``Ledger``. Never for consumables, for transactions that are recorded,
    /// or for purchases that belong to or are meant for another account.
    ///
    /// - Parameters:
    ///   - receipt: a pending receipt about which the App Store never answered.
    ///   - date: when it was recorded.
    package func openProvisionally(
        _ verified: VerifiedReceipt, for account: AccountID, receipt: String, since date: Date
    ) throws -> Date? {
        guard date > earliestInForce else { return nil }
        let ordinary = try bought(by: account, with: [])
        let shown = try admissible(verified.transactions, for: account).map { transaction, terms in
            ProvisionalPurchase(account: account, receipt: receipt, transaction: transaction, terms: terms, since: date)
        }
        guard try bought(by: account, with: shown) != ordinary else { return nil }
        let new = try shown.filter { try rows.write($0) }
        try audit(new)
        let keys = Set(shown.map(\.key))
        let open = try purchasesInForce(of: account).filter { keys.contains($0.key) }
        return try bought(by: account, with: open) == ordinary ? nil : open.map { $0.end(in: context) }.max()
    }

    /// Returns the provisional purchases whose transactions have not been recorded meanwhile.
    func purchasesInForce(of account: AccountID) throws -> [ProvisionalPurchase] {
        guard context.provisionalTime > 0 else { return [] }
        let held = try rows.provisionalPurchases(of: account, since: earliestInForce)
        guard !held.isEmpty else { return [] }
        let unsettled = Dictionary(
            try unsettled(held.map(\.transaction), for: account).map { ($0.key, $0) }
        ) { first, _ in first }
        return held.compactMap { purchase in
            guard let transaction = unsettled[purchase.transaction.key] else { return nil }
            var purchase = purchase
            purchase.transaction = transaction
            return purchase
        }
    }

    /// The latest recording date of receipts whose provisional access has ended.
    private var earliestInForce: Date { context.date.addingTimeInterval(-context.provisionalTime) }

    /// Returns the transactions that may give provisional access, with the product as it is sold now.
    private func admissible(
        _ copies: [Transaction], for account: AccountID
    ) throws -> [(transaction: Transaction, terms: Product)] {
        let newest = copies.filter { mayOpen($0) }.sorted { ($0.purchaseDate, $0.id) > ($1.purchaseDate, $1.id) }
            .prefix(ProvisionalPurchase.maximumPerReceipt)
        let living = try rows.livingAccounts(named: Set(newest.compactMap(\.ownerToken)))
        return try unsettled(Array(newest), for: account).compactMap { transaction in
            let named = transaction.ownerToken.flatMap { living[$0] }
            guard named == nil || named == account else { return nil }
            return context.terms(for: transaction).map { (transaction, $0) }
        }
    }

    private func mayOpen(_ transaction: Transaction) -> Bool {
        let isOver = transaction.expirationDate.map { $0 <= context.date } ?? false
        guard !isOver, transaction.productType != .consumable else { return false }
        return context.terms(for: transaction).map { $0.type != .consumable } ?? false
    }

    /// Returns the transactions that are not recorded and whose original transaction no other account owns, merged with
    /// what the App Store has reported of them.
    private func unsettled(_ copies: [Transaction], for account: AccountID) throws -> [Transaction] {
        let known = Set(try rows.transactions(Set(copies.map(\.key))).map(\.transaction.key))
        let keys = Set(copies.map(\.originalTransactionKey))
        let originals = try rows.originalTransactions(keys)
        let stated = Dictionary(
            try rows.unclaimed(of: keys.subtracting(originals.keys)).map { ($0.transaction.key, $0.transaction) }
        ) { first, _ in first }
        return copies.compactMap { copy in
            guard !known.contains(copy.key), originals[copy.originalTransactionKey].map({ $0.owner == account }) ?? true
            else { return nil }
            var transaction = copy
            if let stated = stated[copy.key] { transaction.merge(stated) }
            return transaction
        }
    }

    private func audit(_ purchases: [ProvisionalPurchase]) throws {
        guard let first = purchases.first else { return }
        let transactions = purchases.map { purchase in
            JSONValue.object([
                "id": .string(purchase.transaction.id.text), "app": .string(purchase.transaction.app.text),
                "environment": .string(purchase.transaction.environment.rawValue),
                "product": .string(purchase.transaction.productID.text),
            ])
        }
        try rows.append(
            AuditEntry(
                .receiptProvisional, account: first.account, subject: first.receipt,
                content: [
                    "transactions": .array(transactions), "until": .string(first.end(in: context).rfc3339),
                ], at: context.date))
    }
}
