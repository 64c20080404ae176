package import Foundation
package import InAppPurchase

/// Manifests: which were issued to which account, and whether their delivery was confirmed.
package protocol DeliveryLedger: Sendable {
    /// Returns what decides which manifest of a bundle a player gets, read in one transaction.
    ///
    /// - Returns: `nil` if no open session has the token.
    /// - Throws: ``LedgerRefusal/accountBlocked(_:)``.
    func manifestFacts(_ question: ManifestQuestion, in context: RecordingContext) async throws -> ManifestFacts?

    /// Records that a manifest was issued to an account. There is one delivery for each account and version of a
    /// bundle: within ``ManifestDelivery/quietTime`` of the last time nothing is written but a longer lifetime of the
    /// links, later the count increases. If the version has another manifest, the delivery must be confirmed anew.
    ///
    /// - Parameter id: the ID of the delivery if this is the first time.
    /// - Returns: the delivery's ID.
    func issueManifest(
        _ manifest: IssuedManifest, to account: AccountID, id: String, at date: Date
    ) async throws -> String

    /// Records that the account has the manifest that it was issued, or that it has another one.
    ///
    /// - Parameter sha256: the SHA-256 of the manifest that the account has.
    /// - Returns: `nil` if the account has no delivery of this ID. The second time the first date.
    func confirmDelivery(
        _ id: String, sha256: String, by account: AccountID, at date: Date
    ) async throws -> DeliveryConfirmation?

    /// Returns issued manifests, oldest first.
    ///
    /// - Parameters:
    ///   - unconfirmed: only those of bundles that the account bought in Production, still has and got no refund for,
    ///     that were not confirmed, and of which it has confirmed no other version since. Nobody paid for open bundles,
    ///     or for what support gave.
    ///   - position: of the last one of the previous page.
    func manifestDeliveries(unconfirmed: Bool, _ filter: DeliveryFilter, after position: DeliveryPosition?, limit: Int)
        async throws -> [ManifestDelivery]

    /// Returns the bundles of purchases that were delivered in Production and whose manifest the owner never requested,
    /// oldest first.
    ///
    /// - Parameter position: of the last one of the previous page.
    func purchasesNeverFetched(
        _ filter: DeliveryFilter, after position: UnfetchedPosition?, limit: Int
    ) async throws -> [UnfetchedPurchase]
}
