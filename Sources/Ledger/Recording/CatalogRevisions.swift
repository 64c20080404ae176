package import Foundation

/// The catalog as numbered revisions, for servers that share a ledger. Append-only: an older revision is made the newest
/// again by adding its text once more.
package protocol CatalogRevisions: Sendable {
    /// The newest revision.
    ///
    /// - Parameter number: nil is returned where nothing newer than this one is there; 0 is before the first.
    func newestCatalogRevision(after number: Int) async throws -> CatalogRevision?

    /// The revision with this number; nil where there is none.
    func catalogRevision(_ number: Int) async throws -> CatalogRevision?

    /// What is known of the revisions, newest first; at most `limit`.
    func catalogHistory(limit: Int) async throws -> [CatalogRevision.Summary]

    /// Adds the revision that comes after `number`, with a row of the audit trail, in one commit.
    ///
    /// - Parameter entry: also says who added it, and when.
    /// - Returns: nil where `number` is not the newest, and nothing was added: somebody else was faster.
    func addCatalogRevision(_ text: Data, after number: Int, _ entry: AuditEntry) async throws -> CatalogRevision?
}
