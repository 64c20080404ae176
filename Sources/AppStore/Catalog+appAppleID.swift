import InAppPurchase

extension Catalog {
    /// The number in the App Store is compared only in Production, and only where both sides have it.
    ///
    /// - Throws: `appAppleID`
    func check(
        appAppleID: Int?, of app: BundleID, in environment: Environment
    ) throws(ReceiptRejection) {
        if environment == .production, let expected = self.app(app)?.appAppleID, let appAppleID, appAppleID != expected
        {
            throw ReceiptRejection(.appAppleID, "another number in the App Store")
        }
    }
}
