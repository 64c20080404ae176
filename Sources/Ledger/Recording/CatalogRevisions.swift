package import Foundation

/// The catalog as numbered revisions, for servers that share a ledger. Append-only: to return to an older revision, its
/// text is added again as the newest.
package protocol CatalogRevisions: Sendable {
    /// Returns the newest revision.
    ///
    /// - Parameter number: the number that is known already; `nil` is returned if there is no newer one. 0 is before
    ///   the first.
    func newestCatalogRevision(after number: Int) async throws -> CatalogRevision?

    /// Returns the revision with this number, or `nil` if there is none.
    func catalogRevision(_ number: Int) async throws -> CatalogRevision?

    /// Returns the summaries of the revisions, newest first; at most `limit`.
    func catalogHistory(limit: Int) async throws -> [CatalogRevision.Summary]

    /// Adds the revision that follows `number`, and a row of the audit trail, in one commit (compare-and-swap).
    ///
    /// - Parameter entry: the row of the audit trail; its actor and date become those of the revision.
    /// - Returns: the revision, or `nil` if `number` is not the newest because of a concurrent change. Then nothing was
    ///   added.
    func addCatalogRevision(_ text: Data, after number: Int, _ entry: AuditEntry) async throws -> CatalogRevision?
}
