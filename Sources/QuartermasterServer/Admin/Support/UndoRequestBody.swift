import InAppPurchase

/// The reason for taking a transfer back, and the app of the purchase.
struct UndoRequestBody: RequestBody {
    var reason: String
    var bundleID: BundleID?
}
