package import Foundation
package import InAppPurchase

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
