package import InAppPurchase
package import Foundation

/// Which manifests were handed out to whom, and whether they have arrived.
package protocol ManifestDeliveries: Sendable {
    /// Records that an account got the manifest. Once for each account and version of a bundle: handed out again within
    /// ``ManifestDelivery/quietTime`` nothing is written, later it is counted. Other files under the same version are to
    /// be confirmed anew.
    ///
    /// - Parameter id: the delivery's, where this is the first time.
    /// - Returns: the delivery's ID.
    func issueManifest(
        _ manifest: IssuedManifest, to account: AccountID, id: String, at date: Date
    ) async throws -> String

    /// Records that the account has what it was handed out.
    ///
    /// - Parameter sha256: of the manifest that the account has.
    /// - Returns: nil where the account has no delivery of this ID. The second time the first date.
    func confirmDelivery(
        _ id: String, sha256: String, by account: AccountID, at date: Date
    ) async throws -> DeliveryConfirmation?

    /// Manifests handed out the first time until `date`, oldest first.
    ///
    /// - Parameter unconfirmed: only those that did not arrive, nor a later one of the same bundle and account.
    func manifestDeliveries(unconfirmed: Bool, until date: Date, limit: Int) async throws -> [ManifestDelivery]

    /// Bundles bought in Production until `date` and never asked for by who owns the purchase, oldest first.
    func purchasesNeverFetched(until date: Date, limit: Int) async throws -> [UnfetchedPurchase]
}
