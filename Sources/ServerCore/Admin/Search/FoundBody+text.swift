import Foundation
import InAppPurchase
import ServerHTTP

extension FoundBody {
    /// The result for a terminal. A purchase that nobody presented has a row for each transaction, without an account;
    /// the newest accounts have their dates.
    package func table(for output: TextOutput) -> TextTable {
        guard accounts.allSatisfy({ $0.createdAt == nil }) else {
            return TextTable(
                ["Account", "Created", "Blocked", "External ID"],
                accounts.map { account in
                    [
                        account.account, account.createdAt.map(output.time) ?? "",
                        account.blockedAt.map(output.time) ?? "", account.externalID ?? "",
                    ]
                })
        }
        return TextTable(
            ["Account", "App", "Environment", "Original transaction", "Transaction", "Product", "Bought", "Refunded"],
            accounts.map(\.row) + unclaimed.flatMap { $0.rows(for: output) })
    }

    /// The sentence in the place of an empty table.
    package var emptyText: String { "Nothing was found. \(remark ?? "")".trimmed }

    /// Why there may be more than was found; `nil` if nothing more can be said.
    package var remark: String? {
        if truncated == true { return "There are more: give more characters of the ID." }
        return switch reason {
        case .noKey: "The App Store was not asked: no app has a key for its API."
        case .unavailable: "The App Store did not answer. Try again later."
        case nil:
            asked == true && accounts.isEmpty && unclaimed.isEmpty ? "The App Store knows no such order either." : nil
        }
    }
}

extension FoundBody.Account {
    fileprivate var row: [String] {
        [account, app?.text ?? "", environment?.rawValue ?? "", originalID?.text ?? "", "", "", "", ""]
    }
}

extension UnclaimedPurchaseBody {
    fileprivate func rows(for output: TextOutput) -> [[String]] {
        transactions.map { entry in
            [
                "nobody presented it", app.text, environment.rawValue, originalID.text, entry.id.text,
                entry.product.text, output.time(entry.purchaseDate), entry.refundDate.map(output.time) ?? "",
            ]
        }
    }
}
