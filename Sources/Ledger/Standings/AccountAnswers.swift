package import InAppPurchase

/// The state of an account as its requests are answered: from condensed histories, or from all purchases if those are
/// not enough.
package enum AccountAnswers: Sendable {
    /// - Parameter counted: the keys of those of the purchases in question that count for credits.
    case condensed(CondensedAccount, counted: Set<Transaction.Key>)
    case full(AccountState)

    package var account: AccountID {
        switch self {
        case .condensed(let state, _): state.account
        case .full(let state): state.account
        }
    }

    /// The entitlements to all products that the account has or had, in a stable order.
    package var entitlements: [ProductEntitlement] {
        switch self {
        case .condensed(let state, _): state.entitlements
        case .full(let state): state.entitlements
        }
    }

    /// The access by a recorded transaction, as the app is told for its receipt.
    func access(by record: RecordedTransaction) -> Access {
        switch self {
        case .condensed(let state, let counted): state.access(by: record, counted: counted)
        case .full(let state): state.access(by: record)
        }
    }
}

extension CondensedAccount {
    fileprivate func access(by record: RecordedTransaction, counted: Set<Transaction.Key>) -> Access {
        record.access(of: account, by: access(to: record.subject), in: context, lastEnd: lastEnd(of: record.subject)) {
            $0.creditedTo == account && $0.purchaseKey.map(counted.contains) ?? false
        }
    }
}
