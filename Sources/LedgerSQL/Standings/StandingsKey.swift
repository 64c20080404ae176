import Foundation
import InAppPurchase

/// An account, as the accounts' rows have it, and as those of its standings do.
struct StandingsKey: RowKey {
    static var columns: String { "account, uuid" }

    let account: AccountID

    var arguments: SQLArguments { [account.text, account.bytes] }

    static func placeholders(in dialect: SQLDialect) -> String { "?, \(dialect.blob("?"))" }
}
