package import Foundation
package import InAppPurchase

/// The facts of the ledger that decide which manifest of a bundle a player gets.
package struct ManifestFacts: Sendable {
    /// The player of the session.
    package var account: AccountID
    /// Whether an administrator has put the account on the channel beta.
    package var isBeta: Bool
    package var entitlements: [ProductEntitlement]
    /// The manifests of the bundle that were issued to the account within ``ManifestDelivery/quietTime``.
    package var recent: [RecentDelivery]
    /// Whether the account has a refund in one of the apps that give it access to the bundle; `false` if that was not
    /// asked.
    package var hasRefund: Bool

    package init(
        account: AccountID, isBeta: Bool, entitlements: [ProductEntitlement], recent: [RecentDelivery], hasRefund: Bool
    ) {
        self.account = account
        self.isBeta = isBeta
        self.entitlements = entitlements
        self.recent = recent
        self.hasRefund = hasRefund
    }

    /// The ID of the delivery that another request for the manifest belongs to, so that nothing is to be recorded;
    /// `nil` if there is none.
    package func delivery(of manifest: IssuedManifest) -> String? { recent.first { $0.contains(manifest) }?.id }
}

/// A player's request for the manifest of a bundle, as far as the ledger answers it.
package struct ManifestQuestion: Sendable {
    /// The SHA-256 of the session's token.
    package var token: Data
    package var bundle: BundleName
    /// Whether ``ManifestFacts/hasRefund`` is needed.
    package var asksForRefunds: Bool

    package init(token: Data, bundle: BundleName, asksForRefunds: Bool = false) {
        self.token = token
        self.bundle = bundle
        self.asksForRefunds = asksForRefunds
    }
}
