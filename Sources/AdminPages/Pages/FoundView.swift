import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// The result of a search that is not one account alone: several, none, or purchases that nobody presented.
struct FoundView {
    let found: FoundBody
    let visit: Visit
    let catalog: Catalog

    var content: PageContent {
        var blocks = [Block(form: AccountSearch.form(visit))]
        if !found.unclaimed.isEmpty { blocks.append(unclaimed) }
        if !found.accounts.isEmpty || found.unclaimed.isEmpty { blocks.append(accounts) }
        return PageContent("Accounts", notice: notice, blocks)
    }

    private var notice: Notice? {
        if !found.unclaimed.isEmpty {
            return Notice(
                "The purchase is genuine and nobody was given it: no app sent it to this server. \(advice)", .waiting)
        }
        guard visit.query("q").flatMap(AccountPrefix.init) == nil else { return notice(ofBeginning: found.remark) }
        let remark = found.remark ?? "The player may be looking for a purchase that the app never sent."
        return found.accounts.isEmpty ? Notice("Nothing was found. \(remark)", .waiting) : nil
    }

    /// The way to a purchase that nobody presented. StoreKit restores no consumable that the app finished.
    private var advice: String {
        let entries = found.unclaimed.flatMap(\.transactions)
        guard entries.contains(where: { $0.productType == .consumable }) else {
            return "If the player opens the app and restores purchases, it is given then."
        }
        return """
            If the app did not finish it, it sends it when it is opened. A consumable that the app finished is not \
            restored by StoreKit: the player can send nothing more, so give the purchase to the player's account here.
            """
    }

    /// The notice in a search for the first characters of an account's ID.
    private func notice(ofBeginning remark: String?) -> Notice? {
        guard found.accounts.isEmpty else { return remark.map { Notice($0, .waiting) } }
        return Notice("Nothing was found: no account's ID begins so, and no transaction has this ID.", .waiting)
    }

    private var accounts: Block {
        if found.accounts.contains(where: { $0.createdAt != nil }) {
            return Block("Found", table: Self.table(found.accounts, "Accounts whose IDs begin so", visit))
        }
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

    /// The accounts with their dates.
    static func table(_ accounts: [FoundBody.Account], _ caption: String, _ visit: Visit) -> Table {
        let rows = accounts.map { account in
            [
                Cell.link(account.account, "/admin/accounts/\(account.account)").with(note: account.externalID),
                account.createdAt.map { Cell.time(visit.time($0).moment) } ?? Cell(""),
                account.blockedAt.map { Cell.badge("Blocked", .bad, note: visit.time($0).text) }
                    ?? .badge("In order", .good),
            ]
        }
        return Table(caption, columns: ["Account", "Created", "Standing"], rows: rows, empty: "There are none.")
    }

    private var unclaimed: Block {
        let rows = found.unclaimed.flatMap { purchase in
            purchase.transactions.enumerated().map { row($1, of: purchase, isFirst: $0 == 0) }
        }
        return Block(
            "Nobody presented it", id: "unclaimed",
            text: found.unclaimed.contains { $0.truncated == true } ? "The newest transactions are shown." : nil,
            table: Table(
                "Purchases that the App Store knows, and no account has",
                columns: ["Bought", "Product", "Given?", "App", "Transaction", "Acts"], rows: rows))
    }

    private func row(
        _ entry: UnclaimedPurchaseBody.Entry, of purchase: UnclaimedPurchaseBody, isFirst: Bool
    ) -> [Cell] {
        let price = entry.price.map { "\(Money.text($0)) \(entry.currency ?? "")" }
        let refund = entry.revocationDate.map {
            "\(entry.refundDate == nil ? "taken back" : "refunded") by the App Store, \(visit.time($0).text)"
        }
        let act = Link(
            "Give it to an account",
            TransferPages.path(purchase.environment, purchase.originalID)
                + "?bundleID=\(purchase.app.text.pathEncoded)")
        return [
            .time(visit.time(entry.purchaseDate).moment), catalog.cell(entry.product, of: purchase.app, note: price),
            .badge("Not given", .bad, note: refund ?? "no account presented it"),
            Cell(purchase.app.text, note: purchase.environment.rawValue),
            Cell.code(entry.id.text).with(note: entry.orderID.map { "order \($0)" }),
            .actions(visit.mayChange && isFirst ? [act] : []),
        ]
    }
}
