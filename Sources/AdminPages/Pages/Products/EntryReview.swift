import Basics
import Foundation
import HTTPTypes
import InAppPurchase
import ServerCore

/// The page between a form and the change: the difference in the entry, and whether somebody else changed it first.
struct EntryReview: Sendable {
    let catalog: CatalogServices
    let visit: Visit

    private var difference: EntryDifference { EntryDifference(catalog.editor, visit) }

    /// The difference that a form makes; the form again if its entry is refused.
    func content(of form: EntryForm) async throws -> PageContent {
        do {
            return try await content(
                of: form.draft(), title: form.product == nil ? "Add a product" : "Change a product", text: nil)
        } catch let mistakes as FormRefusal {
            return try form.content(mistakes)
        } catch CatalogRefusal.invalidProduct(let error), CatalogRefusal.unreadableEntry(let error) {
            return try form.content(form.mistakes(for: error))
        }
    }

    func content<Draft: ReviewedDraft>(of draft: Draft, title: String, text: String?) async throws -> PageContent {
        let change: Draft.Edit.Change
        do {
            change = try await catalog.editor.check(draft.edit, by: visit.administrator)
        } catch CatalogRefusal.preconditionFailed {
            return try await conflict(draft)
        }
        guard change.outcome != .unchanged else {
            return PageContent(
                title, notice: Notice("There is nothing to do: the entry is the same.", .waiting), [back(change)])
        }
        let isAdded = change.outcome == .added
        let types = try await TypeComparison(change, catalog.ledger)
        return PageContent(
            title, notice: types?.notice,
            [
                Block(
                    text: text, facts: change.facts + (types?.facts ?? []),
                    table: difference.table(from: change.before, to: change.after)),
                Block.warnings(change.warnings),
                save(
                    change, draft, isAdded ? EntryDraft.new : draft.revision, button: isAdded ? "Add it" : "Save it",
                    isDangerous: types?.isWrong ?? false),
            ].compactMap { $0 })
    }

    /// The page about somebody else's change of the entry, and what would become of it.
    ///
    /// - Parameter reason: the reason that was filled in already.
    func conflict(_ draft: some ReviewedDraft, _ reason: String = "") async throws -> PageContent {
        let change = try await catalog.editor.check(draft.editOfAny, by: visit.administrator)
        let base = draft.base.isEmpty ? nil : draft.base
        let theirs = difference.table(from: base, to: change.before)
        let isSame = base?.plainJSON == change.before?.plainJSON
        let revision = change.before == nil ? EntryDraft.new : change.files.old.revision
        let mine = Block(
            "What your entry changes", facts: change.facts,
            table: difference.table(from: change.before, to: change.after))
        return PageContent(
            "Somebody else changed the catalog",
            notice: Notice("Your changes were not saved. Compare both and decide again.", .waiting),
            status: .preconditionFailed,
            [
                isSame
                    ? Block("What was changed meanwhile", text: "Other entries; this one is as you saw it.")
                    : Block("What was changed meanwhile", table: theirs)
            ]
                + (change.outcome == .unchanged
                    ? [Block("What your entry changes", text: "Nothing: both are the same."), back(change)]
                    : [
                        mine,
                        save(change, draft, revision, reason: reason, button: "Save mine anyway", isDangerous: true),
                    ]))
    }

    private func save(
        _ change: some RecordedChange, _ draft: some ReviewedDraft, _ revision: String, reason: String = "",
        button: String, isDangerous: Bool = false
    ) -> Block {
        let hidden = [
            ("entry", draft.entry.plainJSON.base64URL), ("base", change.before?.plainJSON.base64URL ?? ""),
            ("revision", revision),
        ]
        return Block(
            form: .act(
                "\(change.path)/save", csrf: visit.csrf, hidden: hidden, [EditReason.field(reason)], button: button,
                isDangerous: isDangerous), links: back(change).links?.items ?? [])
    }

    private func back(_ change: some RecordedChange) -> Block {
        let isNewApp = change.before == nil && change.changedProduct == nil
        let list = "/admin/products" + (isNewApp ? "" : "?app=\(change.app.text.pathEncoded)")
        let path = change.before == nil ? list : change.path
        return Block(links: [Link("Back without changes", path)])
    }
}

extension RecordedChange {
    /// The page of the product, or of the app's settings.
    fileprivate var path: String { changedProduct.map { ShownProduct.path(app, $0) } ?? AppSettingsPages.path(app) }

    /// The warnings of the catalog after it: of the product, or of the app's settings.
    fileprivate var warnings: [String] {
        guard let changedProduct else {
            return (files.new.warnings[app] ?? []).map(\.description).filter { $0.contains("].placements.") }
        }
        return files.new.catalog.product(changedProduct, of: app)?.warnings.map { "entry\($0)" } ?? []
    }

    fileprivate var facts: [Fact] {
        let product = changedProduct.map { Fact("Product", files.old.catalog.cell($0, of: app)) }
        return [product, Fact("App", Cell(app.text))].compactMap { $0 }
    }
}
