import InAppPurchase

/// The number of days by which a renewal date is extended, the reason, and the app of the subscription.
struct ExtensionRequestBody: RequestBody {
    var days: Int
    var reason: String
    var bundleID: BundleID?
}
