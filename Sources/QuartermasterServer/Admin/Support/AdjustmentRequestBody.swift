import InAppPurchase

/// The amount that is added to a balance, or taken from it if negative, and the reason.
struct AdjustmentRequestBody: RequestBody {
    var currency: Currency
    var amount: Int
    var reason: String
    var bundleID: BundleID?
    var environment: String?
}
