import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

/// An account as the page shows it: first what was bought and what became of it.
struct AccountView {
    let report: AccountReport
    let changes: [RenewalChange]
    let catalog: Catalog
    let visit: Visit
    /// The characters of the ID in the title, by which support finds the account again.
    static let shownCharacters = 8
    /// The newest changes of credits and the newest purchases that are shown; more purchases are folded.
    private static let (shownPostings, shownPurchases) = (10, 5)

    var blocks: [Block] {
        let subscriptions = SubscriptionCards(report: report, changes: changes, catalog: catalog, visit: visit)
        let contested =
            report.contested.isEmpty ? nil : ContestedView(report: report, catalog: catalog, visit: visit).block
        let notes = isWhole && !report.notes.isEmpty ? self.notes : nil
        var blocks = [facts, notes, contested, closed, subscriptions.block].compactMap { $0 } + others
        if !troubledReceipts.rows.isEmpty {
            blocks.append(Block("Receipts that wait or were refused", table: troubledReceipts))
        }
        return blocks + entitlements + [GivenProducts(report: report, visit: visit, catalog: catalog).block, balances]
            + (visit.mayChange ? [acts] : [])
    }

    /// The apps that give a tester nothing for sandbox purchases; none unless the account is one.
    private var closedApps: [App] {
        guard report.facts.testerSince != nil else { return [] }
        return catalog.apps.filter { visit.administrator.reach.includes($0.bundleID) && $0.sandbox == .nobody }
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
            facts: [Fact("Account", .code(facts.account.text))] + externalID + [
                Fact("Created", .time(visit.time(facts.createdAt).moment)),
                Fact("Standing", standing ?? .badge("In order", .good)),
            ] + (isWhole ? [sessions] : []) + [
                Fact(
                    "Refunded by the App Store",
                    Cell(RefundShareBody(report).words, note: report.next == nil ? nil : "of the newest ones")),
                Fact("Flags", Cell(flags.isEmpty ? "none" : flags.joined(separator: "; "))),
            ])
    }

    private var closed: Block? {
        closedApps.isEmpty
            ? nil
            : Block(
                "The account is a tester, and these apps let no testers in", id: "closed",
                table: SandboxPage.table(closedApps, visit))
    }

    private var externalID: [Fact] { report.facts.externalID.map { [Fact("External ID", .code($0.text))] } ?? [] }

    private var notes: Block {
        let rows = report.notes.map { note -> [Cell] in
            let remove = Link("Remove", "\(path)/notes/\(note.id.pathEncoded)/remove")
            return [
                .time(visit.time(note.date).moment), Cell(note.text), Cell(note.actor),
                .actions(visit.mayChange ? [remove] : []),
            ]
        }
        return Block(
            "Notes", id: "notes",
            table: Table("What support wrote down", columns: ["When", "Note", "By", "Acts"], rows: rows))
    }

    // MARK: Purchases

    /// A page of purchases, subscriptions among them.
    var purchases: Block { purchases("Purchases", of: report.transactions.entries) }

    /// The purchases that are in no card.
    private var others: [Block] {
        let all = report.transactions.entries
        let records = all.filter { !$0.transaction.mayRenew }
        let heading = records.count == all.count ? "Purchases" : "Other purchases"
        let earlier = Array(records.dropFirst(Self.shownPurchases))
        var newest = purchases(heading, of: Array(records.prefix(Self.shownPurchases)))
        guard !earlier.isEmpty else { return [newest] }
        let links = newest.links
        newest.links = nil
        var folded = Block(fold: "\(earlier.count) earlier purchases", table: table("Earlier purchases", of: earlier))
        folded.links = links
        return [newest, folded]
    }

    private func table(_ caption: String, of records: [RecordedTransaction], empty: String = "None.") -> Table {
        let rows = records.map { record -> [Cell] in
            PurchaseCells(record: record, report: report, catalog: catalog, visit: visit).all
                + [.actions(links(record))]
        }
        return Table(
            caption, columns: ["Bought", "Product", "Given?", "Transaction", "Acts"], rows: rows, empty: empty)
    }

    private func purchases(_ heading: String, of records: [RecordedTransaction]) -> Block {
        let next = report.next.map { Link("Older purchases", "\(path)?purchases=\($0.text.pathEncoded)#purchases") }
        return Block(
            heading, id: "purchases",
            table: table(
                "\(heading), newest first, and what became of them", of: records,
                empty: heading != "Purchases"
                    ? "None."
                    : report.contested.isEmpty
                        ? "No receipt of this account contained a purchase."
                        : "None but those that other accounts have."),
            links: [next].compactMap { $0 })
    }

    private func links(_ record: RecordedTransaction) -> [Link] {
        guard visit.mayChange, !record.transaction.mayRenew else { return [] }
        let outcome = PurchaseOutcome(record: record, report: report, catalog: catalog, visit: visit)
        return [outcome.remedy].compactMap { $0 }
            + PurchaseLinks(record: record, report: report).links(canBeMoved: !record.isRevoked)
    }

    // MARK: The rest

    private var troubledReceipts: Table {
        let rows = report.receipts.entries.filter {
            [.pending, .rejected, .conflict].contains($0.status) || $0.isBelowMinimum
        }
        return ReceiptPages.table(
            rows.map { ($0, nil) }, "Receipts that brought nothing yet, or name an old version of the app", visit)
    }

    private var entitlements: [Block] {
        let usable = report.entitlements.filter(\.access.isGranted)
        let others = report.entitlements.filter { !$0.access.isGranted }
        let now = Block("What the player can use now", table: table("By product", of: usable))
        guard !others.isEmpty else { return [now] }
        let fold = "\(others.count) of which the player can use nothing now, and why"
        return [now, Block(fold: fold, table: table("Products that give nothing now", of: others))]
    }

    private func table(_ caption: String, of entitlements: [ProductEntitlement]) -> Table {
        let rows = entitlements.map { entitlement -> [Cell] in
            let type = entitlement.type.rawValue + (entitlement.isGivenBySupport ? ", given by support" : "")
            return [
                catalog.cell(
                    entitlement.product, of: entitlement.scope.app, note: catalog.remark(type, of: entitlement.scope)),
                entitlement.access.cell(visit), Cell(entitlement.bundles.map(\.text).joined(separator: ", ")),
            ]
        }
        return Table(caption, columns: ["Product", "Usable?", "Bundles"], rows: rows, empty: "Nothing.")
    }

    private var balances: Block {
        let now = report.balances.sorted { $0.key.text < $1.key.text }.flatMap { scope, credits in
            credits.sorted { $0.key < $1.key }.map { "\($1) \($0) (\(scope.text))" }
        }
        let postings = report.postings.entries.prefix(Self.shownPostings).map { posting -> [Cell] in
            [
                .time(visit.time(posting.date).moment),
                Cell("\(posting.amount > 0 ? "+" : "")\(posting.amount) \(posting.currency)"),
                Cell(
                    posting.kind.words,
                    note: catalog.remark(
                        posting.product.map { catalog.words($0, of: posting.scope.app) }, of: posting.scope)),
            ]
        }
        let lastTable = Table(
            "The last changes of the balances", columns: ["When", "Credits", "Why"], rows: Array(postings),
            empty: "No changes.")
        return Block(
            "Credits", id: "credits",
            text: now.isEmpty ? "The player has no credits." : "Now: " + now.joined(separator: "; ") + ".",
            fold: "The last changes", table: lastTable,
            links: visit.mayChange ? [Link("Give or take back credits", "\(path)/credits")] : [])
    }

    private var acts: Block {
        let acts = AccountAct.all.filter { ($0.isByApp || isWhole) && $0.isPossible(report.facts) }
        return Block(
            "Acts", text: "Each asks for a reason, and shows its effect before anything changes.",
            links: acts.map { Link($0.title, "\(path)/\($0.path)") }
                + (isWhole ? wholeActs : []))
    }
}

extension AccountView {
    private var wholeActs: [Link] {
        [
            Link(NotePages.title, "\(path)/notes"),
            Link(RecoveryCodePages.title, "\(path)/recovery-code"),
            Link(ExternalIDPages.title, "\(path)/\(ExternalIDPages.done)"),
        ]
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
