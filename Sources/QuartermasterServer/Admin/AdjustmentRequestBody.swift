import InAppPurchase

/// What is added to a balance, or taken from it, and why.
struct AdjustmentRequestBody: RequestBody {
    var currency: Currency
    var amount: Int
    var reason: String
    var bundleID: BundleID?
    var environment: String?
}
