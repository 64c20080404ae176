import InAppPurchase

/// What is to be spent, and of which balance.
struct SpendRequestBody: RequestBody {
    var amount: Int
    var bundleID: BundleID?
    var environment: String?
}
