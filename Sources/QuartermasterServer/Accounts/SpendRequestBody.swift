import InAppPurchase

/// The amount to spend, and the app and environment of the balance.
struct SpendRequestBody: RequestBody {
    var amount: Int
    var bundleID: BundleID?
    var environment: String?
}
