package import Foundation
package import InAppPurchase

/// Records which manifests were issued to which account, and whether their delivery was confirmed.
package protocol ManifestDeliveries: Sendable {
    /// Records that a manifest was issued to an account. There is one delivery for each account and version of a
    /// bundle: within ``ManifestDelivery/quietTime`` of the last time nothing is written, later the count increases. If
    /// the version has another manifest, the delivery must be confirmed anew.
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

    /// Returns the manifests that were first issued at `date` or earlier, oldest first.
    ///
    /// - Parameter unconfirmed: only those that were not confirmed, and whose account has confirmed no other version of
    ///   the bundle since.
    func manifestDeliveries(unconfirmed: Bool, until date: Date, limit: Int) async throws -> [ManifestDelivery]

    /// Returns the bundles of purchases that were delivered in Production at `date` or earlier and whose manifest the
    /// owner never requested, oldest first.
    func purchasesNeverFetched(until date: Date, limit: Int) async throws -> [UnfetchedPurchase]
}
