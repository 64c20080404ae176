import Foundation
import Hummingbird
import InAppPurchase
import Ledger
import NIOPosix
import ServerCore
import ServerHTTP

/// The revisions of a catalog in the database, and the way back to one of them.
struct CatalogHistoryPages: Sendable {
    private static let rows = 50
    private static let maximumNamed = 100

    let catalog: CatalogServices

    func add(to pages: PageRouter) {
        pages.page("/admin/catalog", .products) { .page(try await list($0)) }
        pages.page("/admin/catalog/{number}", .products) { .page(try await revision($0)) }
        pages.act("/admin/catalog/{number}/roll-back", .products) { visit, form in try await rollBack(visit, form) }
    }

    private func list(_ visit: Visit) async throws -> PageContent {
        guard let history = catalog.history else {
            return PageContent(
                "History of the catalog",
                [
                    Block(
                        text: "The catalog is a file, which has no history. The audit trail has each change.",
                        links: [Link("Audit trail", "/admin/audit")])
                ])
        }
        let before = try visit.request.number("before", in: 1...Int.max)
        let listed = try await history.ledger.catalogHistory(before: before, limit: Self.rows + 1)
        let shown = listed.prefix(Self.rows)
        let links = [
            before == nil ? nil : Link("The newest ones", "/admin/catalog"),
            listed.count > shown.count
                ? shown.last.map { Link("Older ones", "/admin/catalog?before=\($0.number)") } : nil,
        ]
        let rows = shown.map { revision -> [Cell] in
            [
                .link("Revision \(revision.number)", "/admin/catalog/\(revision.number)"),
                .time(visit.time(revision.date).moment), Cell(revision.actor ?? "the server"),
                Cell(revision.bytes.sizeText),
            ]
        }
        return PageContent(
            "History of the catalog", notice: visit.query("done") == nil ? nil : Notice("It was rolled back.", .good),
            [
                Block(
                    text: "The newest is served. The command line has the text of each: quartermaster catalog pull.",
                    table: Table("Newest first", columns: ["Revision", "Made", "By", "Size"], rows: rows),
                    links: links.compactMap { $0 })
            ])
    }

    private func revision(_ visit: Visit) async throws -> PageContent {
        let (history, revision) = try await named(visit)
        let served = catalog.live.current
        let (bundles, handlers) = (history.bundles(), history.handlers)
        let path = "/admin/catalog/\(revision.number)"
        let back = Link("Back without changes", "/admin/catalog")
        let old: CatalogFile
        do {
            old = try await NIOThreadPool.singleton.runIfActive {
                try CatalogFile(revision.text, number: revision.number, bundles: bundles, handlers: handlers)
            }
        } catch let error as CatalogError {
            return PageContent(
                "Revision \(revision.number)", notice: Notice("It cannot be served now: \(error)", .bad),
                [Block(links: [back])])
        }
        guard old.revision != served.revision else {
            return PageContent(
                "Revision \(revision.number)", notice: Notice("It is served now.", .good), [Block(links: [back])])
        }
        let difference = try await NIOThreadPool.singleton.runIfActive { CatalogDifference(from: served, to: old) }
        return PageContent(
            "Revision \(revision.number)",
            [
                Block("What rolling back to it changes", difference: Self.lines(difference)),
                Block(
                    text: "It is added again as the newest revision; nothing is lost. Purchases keep their terms.",
                    form: visit.mayChange
                        ? .act(
                            "\(path)/roll-back", csrf: visit.csrf, hidden: [("revision", served.revision)], [],
                            button: "Roll back to it", isDangerous: true) : nil, links: [back]),
            ])
    }

    private func rollBack(_ visit: Visit, _ form: FormBody) async throws -> PageAnswer {
        let (history, revision) = try await named(visit)
        do {
            _ = try await history.replace(
                with: revision.text, ifRevision: form["revision"], by: visit.context.actor, at: visit.date)
        } catch let error as CatalogError {
            throw CatalogRefusal.invalidProduct("the revision is refused now: \(error)")
        }
        return .redirect("/admin/catalog?done=back")
    }

    private func named(_ visit: Visit) async throws -> (LedgerCatalogEditor, CatalogRevision) {
        guard let history = catalog.history, let number = Int(try visit.context.pathPart("number")),
            let revision = try await history.ledger.catalogRevision(number)
        else { throw Problem.notFound }
        return (history, revision)
    }

    private static func lines(_ difference: CatalogDifference) -> [DifferenceLine] {
        func names(_ keys: [CatalogDifference.Key]) -> [String] {
            keys.prefix(maximumNamed).map { "\($0.product) of \($0.app)" }
                + (keys.count > maximumNamed ? ["and \(keys.count - maximumNamed) more"] : [])
        }
        let settings = difference.settings.sorted { $0.key < $1.key }.prefix(maximumNamed)
        return names(difference.removed).map { .removed($0) } + names(difference.added).map { .added($0) }
            + names(difference.changed).map { .same("\($0) changes") }
            + settings.map { .same("\($0.value.joined(separator: ", ")) of \($0.key) changes") }
    }
}

/// The catalog as pages work with it.
package struct CatalogServices: Sendable {
    let live: LiveCatalog
    let editor: any CatalogEditing
    let lists: ProductLists
    let ledger: any CatalogLedger

    /// The catalog with its history; `nil` if it is a file.
    var history: LedgerCatalogEditor? { editor as? LedgerCatalogEditor }
}
