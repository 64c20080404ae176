import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// An account as the page shows it: first what was bought and what became of it.
struct AccountView {
    let report: AccountReport
    let visit: Visit

    var blocks: [Block] {
        var blocks = [facts, purchases]
        if !troubledReceipts.rows.isEmpty {
            blocks.append(Block("Receipts that wait or were refused", table: troubledReceipts))
        }
        return blocks + [entitlements, GivenProducts(report: report, visit: visit).block, balances]
            + (visit.mayChange ? [acts] : [])
    }

    /// The link back from a page of older purchases.
    var back: Link { Link("Back to the account", path) }

    /// Whether the account is shown with all of its apps, and may be acted on as a whole.
    private var isWhole: Bool { visit.administrator.reach == .everything }

    private var path: String { "/admin/accounts/\(report.facts.account.text)" }

    private var facts: Block {
        let facts = report.facts
        let open = report.sessions.entries.count { $0.closedAt == nil }
        let standing = facts.blockedAt.map { Cell.badge("Blocked", .bad, note: visit.time($0).text) }
        let flags = [
            facts.testerSince.map { "tester since \(visit.time($0).text)" },
            facts.betaSince.map { "beta versions since \(visit.time($0).text)" },
        ].compactMap { $0 }
        let sessions = Fact("Open sessions", Cell("\(open)\(report.sessions.isTruncated ? " or more" : "")"))
        return Block(
            facts: [
                Fact("Account", .code(facts.account.text)),
                Fact("Created", .time(visit.time(facts.createdAt).moment)),
                Fact("Standing", standing ?? .badge("In order", .good)),
            ] + (isWhole ? [sessions] : []) + [
                Fact(
                    "Refunded by the store",
                    Cell(RefundShareBody(report).words, note: report.next == nil ? nil : "of the newest ones")),
                Fact("Flags", Cell(flags.isEmpty ? "none" : flags.joined(separator: "; "))),
            ])
    }

    // MARK: Purchases

    var purchases: Block {
        let rows = report.transactions.entries.map { record -> [Cell] in
            let transaction = record.transaction
            return [
                .time(visit.time(transaction.purchaseDate).moment),
                Cell(transaction.productID.text, note: Self.price(transaction)),
                PurchaseOutcome(record: record, report: report, visit: visit).cell,
                Cell(transaction.app.text, note: transaction.environment.rawValue),
                Cell.code(transaction.id.text).with(note: transaction.details?.orderID.map { "order \($0)" }),
                .actions(visit.mayChange ? links(transaction) : []),
            ]
        }
        let next = report.next.map { Link("Older purchases", "\(path)?purchases=\($0.text.pathEncoded)#purchases") }
        return Block(
            "Purchases", id: "purchases",
            table: Table(
                "Purchases, newest first, and what became of them",
                columns: ["Bought", "Product", "Given?", "App", "Transaction", "Acts"], rows: rows,
                empty: "No receipt of this account contained a purchase."), links: [next].compactMap { $0 })
    }

    private static func price(_ transaction: Transaction) -> String? {
        let hasSeats = transaction.details?.seats != nil
        let number = hasSeats ? "\(transaction.quantity) seats" : "× \(transaction.quantity)"
        let quantity = hasSeats || transaction.quantity > 1 ? number : nil
        let price = transaction.details.flatMap { details in
            details.price.map { "\(Money.text($0)) \(details.currency ?? "")\(hasSeats ? " each" : "")" }
        }
        let refunded = transaction.details?.seats?.revoked.map { "\($0) seats refunded" }
        let commitment = transaction.details?.commitment.map { details in
            "payment \(details.period.map(String.init) ?? "?") of \(details.periods.map(String.init) ?? "?")"
        }
        let family = transaction.ownershipType == .familyShared ? "shared by the family" : nil
        let parts = [quantity, price, refunded, commitment, family].compactMap { $0 }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }

    private func links(_ transaction: Transaction) -> [Link] {
        let path = TransferPages.path(transaction.environment, transaction.originalID)
        let query = "?bundleID=\(transaction.app.text.pathEncoded)"
        let wasMoved = report.originalTransactions.contains {
            $0.key == transaction.originalTransactionKey && !$0.transfers.isEmpty
        }
        return [Link("Transfer", path + query)] + (wasMoved ? [Link("Undo the transfer", "\(path)/undo\(query)")] : [])
            + (transaction.expirationDate == nil
                ? []
                : [
                    Link(
                        RenewalDatePages.title,
                        RenewalDatePages.path(transaction.environment, transaction.originalID) + query)
                ])
            + [
                Link(
                    AppTransactionPages.title,
                    AppTransactionPages.path(transaction.environment, transaction.originalID) + query)
            ]
    }

    // MARK: The rest

    private var troubledReceipts: Table {
        let rows = report.receipts.entries.filter {
            $0.status == .pending || $0.status == .rejected || $0.isBelowMinimum
        }
        return ReceiptPages.table(
            rows.map { ($0, nil) }, "Receipts that brought nothing yet, or name an old version of the app", visit)
    }

    private var entitlements: Block {
        let rows = report.entitlements.map { entitlement -> [Cell] in
            [
                Cell(
                    entitlement.product.text,
                    note: entitlement.type.rawValue + (entitlement.isGivenBySupport ? ", given by support" : "")),
                entitlement.access.cell(visit),
                Cell(entitlement.scope.app.text, note: entitlement.scope.environment.rawValue),
                Cell(entitlement.bundles.map(\.text).joined(separator: ", ")),
            ]
        }
        return Block(
            "What the player can use now",
            table: Table(
                "By product", columns: ["Product", "Usable?", "App", "Bundles"], rows: rows, empty: "Nothing."))
    }

    private var balances: Block {
        let now = report.balances.sorted { $0.key.text < $1.key.text }.flatMap { scope, credits in
            credits.sorted { $0.key < $1.key }.map { "\($1) \($0) (\(scope.text))" }
        }
        let postings = report.postings.entries.prefix(10).map { posting -> [Cell] in
            [
                .time(visit.time(posting.date).moment),
                Cell("\(posting.amount > 0 ? "+" : "")\(posting.amount) \(posting.currency)"),
                Cell(posting.kind.rawValue, note: posting.product?.text),
                Cell(posting.scope.app.text, note: posting.scope.environment.rawValue),
            ]
        }
        let lastTable = Table(
            "The last changes of the balances", columns: ["When", "Credits", "Why", "App"], rows: Array(postings),
            empty: "No changes.")
        return Block(
            "Credits", id: "credits",
            text: now.isEmpty ? "The player has no credits." : "Now: " + now.joined(separator: "; ") + ".",
            table: lastTable, links: visit.mayChange ? [Link("Give or take back credits", "\(path)/credits")] : [])
    }

    private var acts: Block {
        let acts = AccountAct.all.filter { ($0.isByApp || isWhole) && $0.isPossible(report.facts) }
        return Block(
            "Acts", text: "Each asks for a reason, and shows its effect before anything changes.",
            links: acts.map { Link($0.title, "\(path)/\($0.path)") }
                + (isWhole ? [Link(RecoveryCodePages.title, "\(path)/recovery-code")] : []))
    }
}

extension Scope {
    /// The app and the environment, for sorting and in sentences.
    var text: String { "\(app.text), \(environment.rawValue)" }
}

extension String {
    /// The string, percent-encoded as a part of a path or a query.
    var pathEncoded: String { addingPercentEncoding(withAllowedCharacters: .pathPart) ?? "" }
}

extension CharacterSet {
    fileprivate static let pathPart = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_~.")
}
