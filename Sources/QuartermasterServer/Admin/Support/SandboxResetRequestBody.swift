import InAppPurchase

/// The reason for resetting an account's sandbox purchases, and the app if only one is meant.
struct SandboxResetRequestBody: RequestBody {
    var reason: String
    var bundleID: BundleID?
}
