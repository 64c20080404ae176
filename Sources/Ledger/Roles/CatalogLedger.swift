package import Foundation
package import InAppPurchase

/// The catalog as numbered revisions, for servers that share a ledger, and what the ledger says of products.
///
/// Revisions are append-only: to return to an older one, its text is added again as the newest.
package protocol CatalogLedger: Sendable {
    // MARK: Recorded purchases

    /// Returns the products that were bought in Production and never were in the catalog, the most bought first. Looks
    /// at ``MissingProduct/maximumPurchases`` purchases at most.
    func missingProducts() async throws -> [MissingProduct]

    /// Returns whether a purchase of the app is recorded in any environment, with or without an owner, or a receipt of
    /// it waits. If there is none, all purchases are read, page by page: for an act that is done once.
    func hasPurchases(of app: BundleID) async throws -> Bool

    // MARK: Terms and starting credits

    /// Records the starting credits of the catalog's apps where they changed, for the accounts that are created from
    /// now on. Idempotent.
    func recordStartingCredits(in context: RecordingContext) async throws

    /// Gives terms to transactions that were recorded before the catalog had their product, and delivers them.
    /// - Returns: the number of these transactions.
    func bindTerms(in context: RecordingContext) async throws -> Int

    // MARK: Unavailable products

    /// Records that the store did not know these products of the catalog, as an app reported from an address. Once for
    /// each product, address and day; within the limits of ``UnavailableProduct``, beyond which nothing is recorded.
    ///
    /// - Parameter address: the keyed hash of the address.
    func recordUnavailable(_ products: [ProductID], of app: BundleID, from address: Data, at date: Date) async throws

    /// Returns the products with enough addresses to be shown, the newest day first; at most
    /// ``UnavailableProduct/maximumListed``.
    ///
    /// - Parameter app: `nil` for all apps.
    func unavailableProducts(of app: BundleID?) async throws -> [UnavailableProduct]

    // MARK: Catalog

    /// Returns the newest revision.
    ///
    /// - Parameter number: the number that is known already; `nil` is returned if there is no newer one. 0 is before
    ///   the first.
    func newestCatalogRevision(after number: Int) async throws -> CatalogRevision?

    /// Returns the revision with this number, or `nil` if there is none.
    func catalogRevision(_ number: Int) async throws -> CatalogRevision?

    /// Returns the summaries of the revisions, newest first; at most `limit`.
    ///
    /// - Parameter number: only those before this one; `nil` for all.
    func catalogHistory(before number: Int?, limit: Int) async throws -> [CatalogRevision.Summary]

    /// Adds the revision that follows `number`, and a row of the audit trail, in one commit (compare-and-swap).
    ///
    /// - Parameter entry: the row of the audit trail; its actor and date become those of the revision.
    /// - Returns: the revision, or `nil` if `number` is not the newest because of a concurrent change. Then nothing was
    ///   added.
    func addCatalogRevision(_ text: Data, after number: Int, _ entry: AuditEntry) async throws -> CatalogRevision?
}
