import InAppPurchase

/// Why an administrator does something.
struct ReasonBody: RequestBody { var reason: String }

/// To whom a purchase is given, and why.
struct TransferRequestBody: RequestBody {
    var to: String
    var reason: String
    var bundleID: BundleID?
}

/// What is added to a balance, or taken from it, and why.
struct AdjustmentRequestBody: RequestBody {
    var currency: Currency
    var amount: Int
    var reason: String
    var bundleID: BundleID?
    var environment: String?
}

/// Whose sandbox is emptied, and why.
struct SandboxResetRequestBody: RequestBody {
    var reason: String
    var bundleID: BundleID?
}
