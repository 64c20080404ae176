import InAppPurchase

/// Whose sandbox is emptied, and why.
struct SandboxResetRequestBody: RequestBody {
    var reason: String
    var bundleID: BundleID?
}
