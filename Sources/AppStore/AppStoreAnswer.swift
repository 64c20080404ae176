public import InAppPurchase

/// The facts of a valid receipt, from its own signed content or from the App Store's response.
public struct AppStoreAnswer: Sendable {
    /// The verified transactions and renewal states.
    public var receipt: VerifiedReceipt
    /// The app that the receipt is for.
    public var bundleID: BundleID
    /// The number in the app's App Store address; `nil` in the sandbox, which does not state it.
    public var appAppleID: Int?
    /// The environment of all transactions in the answer.
    public var environment: Environment
    /// The number of entries that were left out because they could not be read. If it is not 0, the operator should
    /// know.
    public var unreadableEntries: Int

    public init(
        receipt: VerifiedReceipt, bundleID: BundleID, appAppleID: Int? = nil, environment: Environment,
        unreadableEntries: Int = 0
    ) {
        self.receipt = receipt
        self.bundleID = bundleID
        self.appAppleID = appAppleID
        self.environment = environment
        self.unreadableEntries = unreadableEntries
    }

    /// Checks that the receipt is for an app in the catalog, and for the app that the client named.
    ///
    /// The number in the App Store is compared only in Production, and only if both the catalog and the answer have it:
    /// the App Store leaves it out of some answers to transaction receipts.
    ///
    /// - Parameter bundleID: the app that the client named; `nil` if it named none.
    /// - Throws: `bundleID`, `appAppleID`
    public func check(against catalog: Catalog, expecting bundleID: BundleID? = nil) throws(ReceiptRejection) {
        guard let app = catalog.app(self.bundleID) else { throw ReceiptRejection(.bundleID, "an app not served here") }
        guard bundleID == nil || bundleID == self.bundleID else {
            throw ReceiptRejection(.bundleID, "not the app that the client named")
        }
        try catalog.check(appAppleID: appAppleID, of: app.bundleID, in: environment)
    }
}
