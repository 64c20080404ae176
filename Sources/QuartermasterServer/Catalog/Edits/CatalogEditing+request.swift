import Foundation
import HTTPTypes
import Hummingbird

extension CatalogEditing {
    /// The query parameters of requests for edits.
    static var parameters: Set<String> { ["dryRun", "reason"] }

    /// Makes the edit that a request asks for, or says what it would change.
    ///
    /// - Parameter answer: the answer to an edit that was made.
    /// - Throws: as ``apply(_:by:reason:at:)``; ``Problem`` for a wrong query.
    func answer<Edit: CatalogOperation>(
        _ request: Request, _ context: ServerContext, at date: Date, to edit: Edit,
        _ answer: (Edit.Change) -> Response
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
