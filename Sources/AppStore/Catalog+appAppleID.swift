import InAppPurchase

extension Catalog {
    /// Compares the number in the App Store, only in Production, and only if both sides have it.
    ///
    /// - Throws: `appAppleID`
    func check(appAppleID: Int?, of app: BundleID, in environment: Environment) throws(ReceiptRejection) {
        if environment == .production, let expected = self.app(app)?.appAppleID, let appAppleID, appAppleID != expected
        {
            throw ReceiptRejection(.appAppleID, "another number in the App Store")
        }
    }
}
