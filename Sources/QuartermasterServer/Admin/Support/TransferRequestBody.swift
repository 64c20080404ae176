import InAppPurchase

/// The account that a purchase is transferred to, and the reason.
struct TransferRequestBody: RequestBody {
    var to: String
    var reason: String
    var bundleID: BundleID?
}
