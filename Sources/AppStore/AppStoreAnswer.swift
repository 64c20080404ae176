public import InAppPurchase

/// What a good receipt says, by its own signed content or by the store's answer about it.
public struct AppStoreAnswer: Sendable {
    public var receipt: VerifiedReceipt
    public var bundleID: BundleID
    /// The number in the app's App Store address. The sandbox does not give it.
    public var appAppleID: Int?
    public var environment: Environment
    /// How many entries were left out because they could not be read. Not zero: the operator should know.
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

    /// Whether the receipt is of an app that is served, and of the very one.
    ///
    /// The number in the App Store is compared only in Production, and only where both the catalog and the answer have
    /// it: the store leaves it out of some answers to transaction receipts.
    ///
    /// - Parameter bundleID: the app that the client named, if any.
    /// - Throws: `bundleID`, `appAppleID`
    public func check(
        against catalog: Catalog, expecting bundleID: BundleID? = nil
    ) throws(ReceiptRejection) {
        guard let app = catalog.app(self.bundleID) else { throw ReceiptRejection(.bundleID, "an app not served here") }
        guard bundleID == nil || bundleID == self.bundleID else {
            throw ReceiptRejection(.bundleID, "not the app that the client named")
        }
        try catalog.check(appAppleID: appAppleID, of: app.bundleID, in: environment)
    }
}
