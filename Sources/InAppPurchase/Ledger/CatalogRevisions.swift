public import Foundation

/// The catalog as numbered revisions, for servers that share a ledger. Append-only: an older revision is made the newest
/// again by adding its text once more.
public protocol CatalogRevisions: Sendable {
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

/// The catalog as it was from one change to the next.
public struct CatalogRevision: Hashable, Sendable {
    /// What a list of revisions tells.
    public struct Summary: Hashable, Sendable {
        /// Counts from 1.
        public var number: Int
        /// Who added it; nil: the server itself, from its file.
        public var actor: String?
        public var date: Date
        /// The length of its text.
        public var bytes: Int

        public init(number: Int, actor: String?, date: Date, bytes: Int) {
            self.number = number
            self.actor = actor
            self.date = date
            self.bytes = bytes
        }
    }

    /// Counts from 1.
    public var number: Int
    /// As `products.json` would have it, byte for byte.
    public var text: Data

    public init(number: Int, text: Data) {
        self.number = number
        self.text = text
    }
}
