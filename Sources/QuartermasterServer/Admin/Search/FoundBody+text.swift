import Foundation
import InAppPurchase

extension FoundBody {
    /// The result for a terminal: a line for each account and for each purchase that nobody presented; if there are
    /// none, a sentence.
    var text: String {
        let more = next.map { ["there are more: --after \($0)"] } ?? []
        let lines = accounts.map(\.text) + unclaimed.flatMap(\.lines) + more
        return lines.isEmpty ? "Nothing was found. \(remark ?? "")".trimmed : lines.joined(separator: "\n")
    }

    /// Why there may be more than was found; `nil` if nothing more can be said.
    var remark: String? {
        switch reason {
        case .noKey: "The store was not asked: no app has a key for its API."
        case .unavailable: "The store did not answer. Try again later."
        case nil:
            asked == true && accounts.isEmpty && unclaimed.isEmpty ? "The store knows no such order either." : nil
        }
    }
}

extension FoundBody.Account {
    fileprivate var text: String {
        (["account \(account)"]
            + [
                app?.text, environment?.rawValue, originalID.map { "original \($0)" },
                createdAt.map { "created \($0.rfc3339)" }, blockedAt.map { "blocked since \($0.rfc3339)" },
            ]
            .compactMap { $0?.withoutControlCharacters }).joined(separator: "\t")
    }
}

extension UnclaimedPurchaseBody {
    fileprivate var lines: [String] {
        transactions.map { entry in
            [
                "nobody presented it", app.text, environment.rawValue, "original \(originalID)", "id \(entry.id)",
                entry.product.text, "bought \(entry.purchaseDate.rfc3339)",
                entry.revocationDate.map { "revoked \($0.rfc3339)" },
            ].compactMap { $0?.withoutControlCharacters }.joined(separator: "\t")
        }
    }
}
