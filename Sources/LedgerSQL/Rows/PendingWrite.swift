import Foundation
import InAppPurchase
import Ledger

/// The rows that one write has gathered, which go with it if it is refused, and the terms and headers that it stored,
/// which count once it is committed. For one thread at a time.
final class PendingWrite {
    /// The columns of the rows of the audit trail that are not inserted yet, in their order.
    var audit: [[SQLValue]] = []
    /// The hashes of the terms that it stored.
    var storedTerms: Set<Data> = []
    /// The digests of the headers of signed transactions that it stored.
    var storedHeaders: Set<Data> = []
    /// The accounts that are known to have no grant, like nearly all of them: they are not queried again.
    var accountsWithoutGrants: Set<AccountID> = []
    /// The rows that were found with copies of transactions, until they are read.
    var copies: (keys: Set<CopyKey>, rows: [SQLRow])?
    /// The rows of accounts' standings that were found with them, until they are read.
    var standings: (accounts: Set<AccountID>, rows: [SQLRow])?
    /// The balances that were found with them, and all that was posted since.
    var balances: [Wallet: Credits] = [:]
}

/// A transaction and the original transaction that a copy names.
struct CopyKey: RowKey {
    static var columns: String { "app, environment, id, originalID" }

    let transaction: Transaction.Key
    let originalID: TransactionID

    var arguments: SQLArguments { transaction.arguments + [originalID] }

    init(_ copy: Transaction) {
        transaction = copy.key
        originalID = copy.originalID
    }
}
