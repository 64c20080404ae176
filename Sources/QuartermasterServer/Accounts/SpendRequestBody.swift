import InAppPurchase

/// The amount to spend, and of which app's and environment's balance.
struct SpendRequestBody: RequestBody {
    var amount: Int
    var bundleID: BundleID?
    var environment: String?
}
