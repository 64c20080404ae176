import Foundation
import InAppPurchase
import Ledger
import ServerHTTP

extension AccountReportBody {
    /// A list of the report, and its name in the JSON.
    private struct Section {
        var name: String
        /// The heading for people.
        var title: String
        var table: TextTable
    }

    /// The report as people read it on a terminal, a table for each list that has entries. In a pipe, a line for each
    /// entry: the name of its list and its cells, separated by tabs.
    package func text(for output: TextOutput) -> String {
        let sections = sections(output).filter { !$0.table.rows.isEmpty }
        guard output.isTerminal else {
            let head = TextTable([], [["account"] + facts(output).map(\.value)])
            let rows = sections.map { section in TextTable([], section.table.rows.map { [section.name] + $0 }) }
            return ([head] + rows).map { $0.withoutControlCharacters.text(for: output) }.joined(separator: "\n")
        }
        let head = facts(output).filter { !$0.value.isEmpty }.map { "\($0.name) \($0.value)" }
        let paragraphs = sections.map { section in
            let older = truncated.contains(section.name) ? ", the newest" : ""
            let table = section.table.withoutControlCharacters.withoutEmptyColumns.text(for: output)
            return "\(section.title)\(older)\n\(table)"
        }
        return ([head.joined(separator: "\n")] + paragraphs).joined(separator: "\n\n")
    }

    /// A line that tells where older purchases begin; none if there are none.
    package var remarks: [String] { next.map { ["older purchases: --after \($0)"] } ?? [] }

    private func facts(_ output: TextOutput) -> [(name: String, value: String)] {
        [
            ("Account", account), ("Made", output.time(createdAt)), ("Blocked since", blockedAt.map(output.time) ?? ""),
            ("Tester since", testerSince.map(output.time) ?? ""), ("Beta since", betaSince.map(output.time) ?? ""),
            (
                "Purchases refunded",
                "\(refunds.refunded) of \(refunds.purchases)\(next == nil ? "" : " of the newest")"
            ),
            ("External ID", externalID ?? ""),
        ]
    }

    private func sections(_ output: TextOutput) -> [Section] {
        [
            Section(name: "entitlements", title: "What the player can use", table: entitlementTable(output)),
            Section(name: "balances", title: "Credits", table: balanceTable),
            Section(name: "transactions", title: "Purchases", table: transactionTable(output)),
            Section(name: "lines", title: "Who owns the purchases", table: ownerTable(output)),
            Section(
                name: "contested", title: "Bought, but another account has it", table: contestedTable(output)),
            Section(name: "appTransactions", title: "Apps that were shown", table: appTable(output)),
            Section(name: "receipts", title: "Receipts", table: receiptTable(output)),
            Section(name: "spends", title: "Credits that were spent", table: spendTable(output)),
            Section(name: "adjustments", title: "Credits that support changed", table: adjustmentTable(output)),
            Section(name: "postings", title: "Changes of the credits", table: postingTable(output)),
            Section(name: "grants", title: "Products that support gave", table: grantTable(output)),
            Section(name: "notes", title: "Notes of support", table: noteTable(output)),
            Section(name: "sessions", title: "Sessions", table: sessionTable(output)),
        ]
    }
}

// MARK: The tables

extension AccountReportBody {
    private func entitlementTable(_ output: TextOutput) -> TextTable {
        TextTable(
            ["Product", "Access", "Until", "Why not", "Bundles", "App", "Environment"],
            entitlements.map { entry in
                [
                    entry.product.text, entry.access, entry.until.map(output.time) ?? "",
                    entry.reason?.rawValue ?? "", entry.bundles.map(\.text).joined(separator: " "), entry.app.text,
                    entry.environment.rawValue,
                ]
            })
    }

    private var balanceTable: TextTable {
        TextTable(
            ["Currency", "Balance", "App", "Environment"],
            balances.flatMap { scope in
                scope.balances.sorted { $0.key < $1.key }.map { currency, amount in
                    [currency.text, "\(amount)", scope.app.text, scope.environment.rawValue]
                }
            })
    }

    private func transactionTable(_ output: TextOutput) -> TextTable {
        TextTable(
            [
                "Bought", "Product", "Quantity", "Price", "Order", "Until", "Refunded", "Transaction", "Original",
                "Remark", "App", "Environment",
            ],
            transactions.map { entry in
                [
                    output.time(entry.purchaseDate), entry.product.text, "\(entry.quantity)", entry.priceText,
                    entry.orderID ?? "", entry.expirationDate.map(output.time) ?? "",
                    entry.isRefunded ? entry.revocationDate.map(output.time) ?? "" : "", entry.id.text,
                    entry.originalID == entry.id ? "" : entry.originalID.text, entry.remark(account, output),
                    entry.app.text, entry.environment.rawValue,
                ]
            })
    }

    private func ownerTable(_ output: TextOutput) -> TextTable {
        TextTable(
            ["Original", "Owner", "Why", "Moved", "From", "App", "Environment"],
            lines.map { entry in
                let last = entry.moves.last
                return [
                    entry.originalID.text, entry.owner,
                    entry.sharing == true ? "\(entry.basis.rawValue), sharing" : entry.basis.rawValue,
                    last.map { output.time($0.at) } ?? "", last?.from ?? "", entry.app.text, entry.environment.rawValue,
                ]
            })
    }

    private func contestedTable(_ output: TextOutput) -> TextTable {
        TextTable(
            ["Bought", "Product", "Owner", "Remedy", "Sent", "Transaction", "Original", "App", "Environment"],
            contested.map { entry in
                [
                    output.time(entry.purchaseDate), entry.product.text, entry.owner, entry.remedy?.rawValue ?? "",
                    output.time(entry.sentAt), entry.id.text,
                    entry.originalID == entry.id ? "" : entry.originalID.text, entry.app.text,
                    entry.environment.rawValue,
                ]
            })
    }

    private func appTable(_ output: TextOutput) -> TextTable {
        TextTable(
            ["Shown", "App", "Environment", "First version", "Obtained", "Remark", "ID"],
            appTransactions.map { entry in
                [
                    output.time(entry.shownAt), entry.app.text, entry.environment.rawValue, entry.originalAppVersion,
                    output.time(entry.originalPurchaseDate),
                    entry.isFirst || entry.id == nil ? "" : "shown by another account before", entry.id ?? "",
                ]
            })
    }

    private func receiptTable(_ output: TextOutput) -> TextTable {
        TextTable(
            ["Came", "Status", "Reason", "Trouble", "Asked", "Again", "Receipt", "Kind", "App", "Version"],
            receipts.map { entry in
                [
                    output.time(entry.recordedAt), entry.status.rawValue, entry.reason?.rawValue ?? "",
                    entry.trouble ?? "", "\(entry.attempts)", entry.retryAt.map(output.time) ?? "", entry.receipt,
                    entry.kind.rawValue, entry.bundleID?.text ?? "", entry.versionText,
                ]
            })
    }

    private func spendTable(_ output: TextOutput) -> TextTable {
        TextTable(
            ["When", "Currency", "Spent", "Balance", "Key", "App", "Environment"],
            spends.map { entry in
                [
                    output.time(entry.at), entry.currency.text, "\(entry.amount)", "\(entry.balance)",
                    entry.idempotencyKey, entry.app.text, entry.environment.rawValue,
                ]
            })
    }

    private func adjustmentTable(_ output: TextOutput) -> TextTable {
        TextTable(
            ["When", "Currency", "Change", "Balance", "By", "Reason", "Key", "App", "Environment"],
            adjustments.map { entry in
                [
                    output.time(entry.at), entry.currency.text, "\(entry.amount)", "\(entry.balance)", entry.actor,
                    entry.reason, entry.idempotencyKey, entry.app.text, entry.environment.rawValue,
                ]
            })
    }

    private func postingTable(_ output: TextOutput) -> TextTable {
        TextTable(
            ["When", "Currency", "Change", "Why", "Product", "Cause", "App", "Environment"],
            postings.map { entry in
                [
                    output.time(entry.at), entry.currency.text, "\(entry.amount)", entry.kind,
                    entry.product?.text ?? "", entry.cause ?? "", entry.app.text, entry.environment.rawValue,
                ]
            })
    }

    private func grantTable(_ output: TextOutput) -> TextTable {
        TextTable(
            ["Given", "Product", "Until", "Taken back", "By", "Reason", "Grant", "Key", "App", "Environment"],
            grants.map { entry in
                [
                    output.time(entry.at), entry.product.text, entry.until.map(output.time) ?? "",
                    entry.revokedAt.map(output.time) ?? "", entry.actor, entry.reason, entry.grant,
                    entry.idempotencyKey, entry.app.text, entry.environment.rawValue,
                ]
            })
    }

    private func noteTable(_ output: TextOutput) -> TextTable {
        TextTable(
            ["When", "By", "Note", "ID"], notes.map { [output.time($0.at), $0.actor, $0.text, $0.note] })
    }

    private func sessionTable(_ output: TextOutput) -> TextTable {
        TextTable(
            ["Opened", "Closed"],
            sessions.map { [output.time($0.openedAt), $0.closedAt.map(output.time) ?? ""] })
    }
}

extension TransactionBody {
    /// Such as `12.99 EUR`; empty if it is not known.
    fileprivate var priceText: String { price.map { "\(Money.text($0)) \(currency ?? "")".trimmed } ?? "" }

    /// Everything that is unusual about the transaction.
    fileprivate func remark(_ account: String, _ output: TextOutput) -> String {
        [
            isRefunded ? nil : revocationDate.map { "taken back by the App Store \(output.time($0))" },
            revocationPercentage.map { "refunded by \($0) thousandths of a percent" }, isUpgraded ? "upgraded" : nil,
            ownershipType.text, owner == account ? nil : "owner \(owner)",
            creditedTo == account ? nil : "credited to \(creditedTo)",
            appAccountToken.flatMap { $0 == account ? nil : "token \($0)" }, terms == nil ? "no terms" : nil,
        ].compactMap { $0 }.joined(separator: ", ")
    }
}

extension Transaction.OwnershipType {
    /// The ownership type; `nil` for `purchased`, as nearly all are.
    fileprivate var text: String? {
        switch self {
        case .purchased: nil
        case .familyShared: "family-shared"
        default: rawValue
        }
    }
}
