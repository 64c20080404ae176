package import InAppPurchase

/// The state of an account as its requests are answered: from condensed histories, or from all purchases if those are
/// not enough.
package enum AccountAnswers: Sendable {
    /// - Parameter counted: the keys of those of the purchases in question that count for credits.
    case condensed(AccountEntitlements, counted: Set<Transaction.Key>)
    case full(AccountState)

    package var account: AccountID {
        switch self {
        case .condensed(let owned, _): owned.account
        case .full(let state): state.account
        }
    }

    /// The entitlements to all products that the account has or had, in a stable order.
    package var entitlements: [ProductEntitlement] {
        switch self {
        case .condensed(let owned, _): owned.all
        case .full(let state): state.entitlements
        }
    }

    /// The access by a recorded transaction, as the app is told for its receipt.
    func access(by record: RecordedTransaction) -> Access {
        switch self {
        case .condensed(let owned, let counted):
            owned.access(by: record) {
                $0.creditedTo == owned.account && $0.purchaseKey.map(counted.contains) ?? false
            }
        case .full(let state): state.access(by: record)
        }
    }
}
