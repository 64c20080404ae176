import Foundation
import InAppPurchase
import Ledger

extension AccountReportBody {
    /// The report for a terminal: a paragraph for each list that has entries.
    var text: String {
        let standing = [
            blockedAt.map { "blocked since \($0.rfc3339)" } ?? "not blocked",
            testerSince.map { "tester since \($0.rfc3339)" }, betaSince.map { "beta since \($0.rfc3339)" },
        ].compactMap { $0 }.joined(separator: ", ")
        let lists: [(name: String, rows: [String])] = [
            ("entitlements", entitlements.map(\.text)), ("balances", balances.map(\.text)),
            ("transactions", transactions.map(\.text)), ("lines", lines.map(\.text)),
            ("appTransactions", appTransactions.map(\.text)), ("receipts", receipts.map(\.text)),
            ("spends", spends.map(\.text)),
            ("adjustments", adjustments.map(\.text)), ("postings", postings.map(\.text)),
            ("grants", grants.map(\.text)), ("sessions", sessions.map(\.text)),
        ]
        let paragraphs = lists.filter { !$0.rows.isEmpty }.map { list in
            let older = truncated.contains(list.name) ? " (there are older ones)" : ""
            return ([list.name + older] + list.rows.map { "  " + $0 }).joined(separator: "\n")
        }
        let head = [
            "account \(account)", "  made \(createdAt.rfc3339), \(standing)",
            "  \(refunds.refunded) of \(refunds.purchases) purchases refunded",
        ].joined(separator: "\n")
        let more = next.map { ["older purchases: --after \($0)"] } ?? []
        return ([head] + paragraphs + more).joined(separator: "\n\n")
    }
}

/// Joins columns with two spaces; `nil` ones are left out.
private func columns(_ parts: String?...) -> String {
    parts.compactMap { $0?.withoutControlCharacters }.joined(separator: "  ")
}

extension EntitlementBody {
    fileprivate var text: String {
        columns(
            app.text, environment.rawValue, product.text, access, until.map { "until \($0.rfc3339)" }, reason?.rawValue,
            bundles.isEmpty ? nil : "bundles: " + bundles.map(\.text).joined(separator: " "))
    }
}

extension BalanceBody {
    fileprivate var text: String {
        let amounts = balances.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
        return columns(app.text, environment.rawValue, amounts.joined(separator: ", "))
    }
}

extension TransactionBody {
    fileprivate var text: String {
        columns(
            purchaseDate.rfc3339, app.text, environment.rawValue, product.text, "x\(quantity)", "id \(id)",
            originalID == id ? nil : "original \(originalID)", expirationDate.map { "until \($0.rfc3339)" },
            revocationDate.map { "revoked \($0.rfc3339)" },
            revocationPercentage.map { "by \($0) thousandths of a percent" }, isUpgraded ? "upgraded" : nil,
            ownershipType.text, "owner \(owner)", "credited to \(creditedTo)",
            appAccountToken.map { "token \($0)" }, terms == nil ? "no terms" : nil)
    }
}

extension OriginalTransactionBody {
    fileprivate var text: String {
        columns(
            app.text, environment.rawValue, originalID.text, "owner \(owner)", "by \(basis.rawValue)",
            moves.isEmpty
                ? nil : "moved " + moves.map { "\($0.at.rfc3339) from \($0.from) to \($0.to)" }.joined(separator: ", "))
    }
}

extension AppTransactionBody {
    fileprivate var text: String {
        columns(
            shownAt.rfc3339, app.text, environment.rawValue, id.map { "id \($0)" }, "version \(originalAppVersion)",
            "obtained \(originalPurchaseDate.rfc3339)", isFirst || id == nil ? nil : "shown by another account before")
    }
}

extension ReceiptFactsBody {
    var text: String {
        columns(
            recordedAt.rfc3339, receipt, kind.rawValue, status.rawValue, reason?.rawValue, bundleID?.text,
            attempts == 0 ? nil : "asked \(attempts) times", retryAt.map { "again at \($0.rfc3339)" })
    }
}

extension SpentBody {
    fileprivate var text: String {
        columns(
            at.rfc3339, app.text, environment.rawValue, currency.text, "-\(amount)", "= \(balance)",
            "key \(idempotencyKey)")
    }
}

extension AdjustmentBody {
    fileprivate var text: String {
        columns(
            at.rfc3339, app.text, environment.rawValue, currency.text, "\(amount)", "= \(balance)",
            "key \(idempotencyKey)",
            actor, reason)
    }
}

extension PostingBody {
    fileprivate var text: String {
        columns(at.rfc3339, app.text, environment.rawValue, currency.text, "\(amount)", kind, product?.text, cause)
    }
}

extension GivenProductBody {
    fileprivate var text: String {
        columns(
            at.rfc3339, app.text, environment.rawValue, product.text, until.map { "until \($0.rfc3339)" }, grant,
            revokedAt.map { "taken back \($0.rfc3339)" }, "key \(idempotencyKey)", actor, reason)
    }
}

extension SessionBody {
    fileprivate var text: String { columns("opened \(openedAt.rfc3339)", closedAt.map { "closed \($0.rfc3339)" }) }
}

extension Transaction.OwnershipType {
    /// The ownership type as a column; `nil` for `purchased`, as nearly all are.
    fileprivate var text: String? {
        switch self {
        case .purchased: nil
        case .familyShared: "family-shared"
        default: rawValue
        }
    }
}
