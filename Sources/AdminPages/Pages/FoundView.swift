import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP

/// The result of a search that is not one account alone: several, none, or purchases that nobody presented.
struct FoundView {
    let found: FoundBody
    let visit: Visit

    var content: PageContent {
        var blocks = [Block(form: AccountSearch.form(visit))]
        if !found.unclaimed.isEmpty { blocks.append(unclaimed) }
        if !found.accounts.isEmpty || found.unclaimed.isEmpty { blocks.append(accounts) }
        return PageContent("Accounts", notice: notice, blocks)
    }

    private var notice: Notice? {
        if !found.unclaimed.isEmpty {
            return Notice(
                "The purchase is genuine and nobody was given it: no app sent it to this server. If the player opens the "
                    + "app and restores purchases, it is given then.", .waiting)
        }
        let remark = found.remark ?? "The player may be looking for a purchase that the app never sent."
        return found.accounts.isEmpty ? Notice("Nothing was found. \(remark)", .waiting) : nil
    }

    private var accounts: Block {
        let rows = found.accounts.map { account in
            [
                Cell.link(account.account, "/admin/accounts/\(account.account)"), Cell(account.app?.text ?? ""),
                Cell(account.environment?.rawValue ?? ""), Cell.code(account.originalID?.text ?? ""),
            ]
        }
        return Block(
            "Found",
            table: Table(
                "Accounts", columns: ["Account", "App", "Environment", "Original transaction"], rows: rows,
                empty: "No account has it."))
    }

    private var unclaimed: Block {
        let rows = found.unclaimed.flatMap { purchase in
            purchase.transactions.enumerated().map { row($1, of: purchase, isFirst: $0 == 0) }
        }
        return Block(
            "Nobody presented it", id: "unclaimed",
            text: found.unclaimed.contains { $0.truncated == true } ? "The newest transactions are shown." : nil,
            table: Table(
                "Purchases that the store knows, and no account has",
                columns: ["Bought", "Product", "Given?", "App", "Transaction", "Acts"], rows: rows))
    }

    private func row(
        _ entry: UnclaimedPurchaseBody.Entry, of purchase: UnclaimedPurchaseBody, isFirst: Bool
    ) -> [Cell] {
        let price = entry.price.map { "\(Money.text($0)) \(entry.currency ?? "")" }
        let refund = entry.revocationDate.map {
            "\(entry.refundDate == nil ? "taken back" : "refunded") by the store, \(visit.time($0).text)"
        }
        let act = Link(
            "Give it to an account",
            TransferPages.path(purchase.environment, purchase.originalID)
                + "?bundleID=\(purchase.app.text.pathEncoded)")
        return [
            .time(visit.time(entry.purchaseDate).moment), Cell(entry.product.text, note: price),
            .badge("Not given", .bad, note: refund ?? "no account presented it"),
            Cell(purchase.app.text, note: purchase.environment.rawValue),
            Cell.code(entry.id.text).with(note: entry.orderID.map { "order \($0)" }),
            .actions(visit.mayChange && isFirst ? [act] : []),
        ]
    }
}
