import ArgumentParser
import Content
import Foundation
import InAppPurchase
import Ledger
import NIOCore
import ServerCore
import ServerHTTP
import StrictJSON

/// The options of the commands that edit the catalog.
struct EditOptions: ParsableArguments {
    @Option(help: "The app's bundle ID.") var app: BundleID

    @Option(help: "Fail unless the catalog is at this revision, as printed by `products check`.")
    var ifRevision: String?

    @Option(help: "The reason, such as a ticket number and a few words. It is recorded in the audit trail.")
    var reason: String?

    @Flag(help: "Print what would change, without changing anything.") var dryRun = false

    @OptionGroup var confirmation: Confirmation
    @Flag(help: "Print JSON.") var json = false

    private struct Outcome: Encodable {
        var app: BundleID
        /// Omitted for a change of an app.
        var product: ProductID?
        var outcome: CatalogChange.Outcome
        var revision: String
    }

    func validate() throws {
        guard reason == nil || checkedReason != nil else {
            throw ValidationError(
                "--reason: 1 to \(SupportAct.maximumReasonCharacters) characters, none of them a control character")
        }
    }

    private var checkedReason: EditReason? { reason.flatMap { EditReason($0) } }

    /// The condition of the edit.
    var condition: @Sendable (_ exists: Bool, _ revision: String) -> Bool {
        { [ifRevision = ifRevision] _, revision in ifRevision == nil || ifRevision == revision }
    }

    /// Edits the catalog while a server may be running, and prints the outcome.
    ///
    /// - Throws: ``/ServerCore/CommandError`` that names the catalog and the error.
    func apply(
        _ edit: some CatalogOperation, _ options: SettingOptions, _ handlers: [any ProductHandler.Type]
    ) async throws {
        if let server = try options.remote { return try await apply(edit, at: server, handlers) }
        let settings = try await options.settings()
        try settings.requireShop()
        let content = try await settings.openContent(at: Date(), clock: { Date() })
        let ledger = try LedgerOpener.openExisting(settings.database, handlers: handlers)
        let editor = settings.catalogEditor(ledger, handlers, bundles: content.bundles, nil)
        do {
            guard !dryRun else { return try printPreview(try await editor.check(edit, by: .operatingSystemUser)) }
            try printOutcome(try await editor.apply(edit, by: .operatingSystemUser, reason: checkedReason, at: Date()))
        } catch let refusal as CatalogRefusal {
            let place = settings.catalog == .file ? settings.products : "the catalog in the database"
            let catalog = try? await options.catalog(handlers).catalog
            throw CommandError("\(place): \(reason(for: refusal, of: edit, in: catalog))")
        } catch let error as LedgerUnavailable {
            throw CommandError("\(settings.databaseName): \(error.detail); the catalog is as it was")
        }
    }

    /// The reason in words, with the name that is unknown and what there is.
    private func reason(
        for refusal: CatalogRefusal, of edit: some CatalogOperation, in catalog: Catalog?
    ) -> String {
        guard refusal == .unknownApp || refusal == .unknownProduct else { return refusal.text }
        do throws(CommandError) {
            try catalog?.require(app)
            if let product = (edit as? CatalogEdit)?.product { try catalog?.require(product, of: app) }
            return refusal.text
        } catch { return error.description }
    }

    private func apply(
        _ edit: some CatalogOperation, at server: RemoteServer, _ handlers: [any ProductHandler.Type]
    ) async throws {
        do {
            let reason = checkedReason?.text
            let (change, revision) = try await server.apply(edit, reason: reason, isDryRun: dryRun, handlers)
            if dryRun { try printPreview(change) } else { try printOutcome(change, revision: revision) }
        } catch let refusal as CatalogRefusal {
            throw CommandError("\(server.address): \(refusal.text)")
        }
    }

    /// - Parameter revision: that of a distant server, after the change.
    private func printOutcome(_ change: some RecordedChange, revision: String? = nil) throws {
        let outcome = Outcome(
            app: change.app, product: change.changedProduct, outcome: change.outcome,
            revision: revision ?? change.files.new.revision)
        guard !json else { return print(try outcome.json) }
        confirmation.print("\(outcome.outcome) \(change.subject), revision \(outcome.revision)")
        for line in (change as? AppChange)?.lines ?? [] { confirmation.print(line.withoutControlCharacters) }
    }

    /// Prints what an edit would change: every line of the entry, the removed ones after a minus, the added ones after
    /// a plus.
    private func printPreview(_ change: some RecordedChange) throws {
        guard !json else { return print(try DryRunEditBody(change).json) }
        print("dry run: \(change.outcome) \(change.subject)")
        for line in DifferenceLine.lines(from: change.before, to: change.after) {
            let marked = line.added.map { "+ \($0)" } ?? line.removed.map { "- \($0)" } ?? "  \(line.same ?? "")"
            print(marked.withoutControlCharacters)
        }
    }

    /// The JSON of an entry, from a file, from the command line or, with `-`, from standard input.
    ///
    /// - Parameter maximumBytes: one byte more is read, which the entry's check refuses.
    /// - Throws: ``/ServerCore/CommandError`` that names the file.
    static func json(of entry: String?, file: String?, maximumBytes: Int) throws -> Data {
        if let entry, entry != "-" { return Data(entry.utf8) }
        do {
            let input = try file.map { try FileHandle(forReadingFrom: URL(filePath: $0)) } ?? .standardInput
            return try input.read(upToCount: maximumBytes + 1) ?? Data()
        } catch {
            throw CommandError("\(file ?? "standard input"): cannot be read: \(error.localizedDescription)")
        }
    }
}

extension CatalogRefusal {
    /// The refusal in words, on one line.
    var text: String {
        switch self {
        case .preconditionFailed(let revision): "the catalog is at revision \(revision)"
        case .unreadableEntry(let detail), .invalidProduct(let detail): "the entry is refused: \(detail)"
        case .invalidApp(let detail): "the settings are refused: \(detail)"
        default: problem.detail ?? problem.title
        }
    }
}
