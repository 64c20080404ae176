package import Foundation
import HTTPTypes
package import Hummingbird
package import InAppPurchase
package import Ledger
package import ServerHTTP

/// Edits single products and the settings of apps in the catalog, one edit at a time.
package protocol CatalogEditing: Sendable {
    /// The handlers of all product types.
    var handlers: [any ProductHandler.Type] { get }
    /// The bundles that the catalog may name.
    var bundles: @Sendable () -> [BundleName] { get }

    /// The change that the edit would make now. Nothing is recorded or written.
    ///
    /// - Throws: as ``apply(_:by:reason:at:)``.
    func check<Edit: CatalogOperation>(_ edit: Edit, by administrator: Administrator) async throws -> Edit.Change

    /// Checks, records, writes and serves the edit. A repeated edit changes nothing, and nothing is recorded.
    ///
    /// - Throws: ``CatalogRefusal``, ``/Ledger/LedgerUnavailable``, ``/ServerHTTP/Problem`` for what is out of the
    ///   administrator's reach; the catalog is then unchanged, unless the refusal says otherwise.
    func apply<Edit: CatalogOperation>(
        _ edit: Edit, by administrator: Administrator, reason: EditReason?, at date: Date
    ) async throws -> Edit.Change
}

extension CatalogEditing {
    /// The query parameters of requests for edits.
    package static var parameters: Set<String> { ["dryRun", "reason"] }

    /// Makes the edit that a request asks for, or says what it would change.
    ///
    /// - Parameter answer: the answer to an edit that was made.
    /// - Throws: as ``apply(_:by:reason:at:)``; ``/ServerHTTP/Problem`` for a wrong query.
    package func answer<Edit: CatalogOperation>(
        _ request: Request, _ context: ServerContext, at date: Date, to edit: Edit, _ answer: (Edit.Change) -> Response
    ) async throws -> Response {
        let (isDryRun, reason) = (try request.isDryRun, try request.editReason)
        guard isDryRun else {
            return answer(try await apply(edit, by: context.administrator, reason: reason, at: date))
        }
        let change = try await check(edit, by: context.administrator)
        var response = try Response.adminJSON(DryRunEditBody(change))
        response.headers[.eTag] = change.files.old.headers()[.eTag]
        return response
    }
}

/// An edit of the catalog, as editors check, record, write and serve it.
package protocol CatalogOperation: Sendable {
    associatedtype Change: RecordedChange

    /// The change that the edit makes of a catalog, decoded and checked as a whole. Nothing is written.
    ///
    /// - Throws: ``CatalogRefusal``
    func change(of file: CatalogFile, bundles: [BundleName], handlers: [any ProductHandler.Type]) throws -> Change

    /// Refuses a change that the ledger's records forbid.
    ///
    /// - Throws: ``CatalogRefusal``, ``/Ledger/LedgerUnavailable``.
    func check(_ change: Change, against ledger: any CatalogLedger) async throws
}

extension CatalogOperation {
    package func check(_ change: Change, against ledger: any CatalogLedger) async throws {}
}

/// The optional reason for an edit of the catalog, checked like that of an act of support.
package struct EditReason: Hashable, Sendable {
    package let text: String

    /// Creates a reason; `nil` if it is empty, longer than ``/Ledger/SupportAct/maximumReasonCharacters`` or has
    /// control characters.
    package init?(_ text: String) {
        guard let reason = SupportAct.checked(reason: text) else { return nil }
        self.text = reason
    }
}

extension Request {
    /// The reason for an edit, from the query; `nil` without one.
    ///
    /// - Throws: ``/ServerHTTP/Problem``: 422 for one that is empty, too long or has control characters.
    var editReason: EditReason? {
        get throws {
            guard let text = uri.queryParameters["reason"] else { return nil }
            guard let reason = EditReason(String(text)) else { throw Problem.wrongReason }
            return reason
        }
    }
}
