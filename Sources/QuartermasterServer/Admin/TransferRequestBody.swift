import InAppPurchase

/// To whom a purchase is given, and why.
struct TransferRequestBody: RequestBody {
    var to: String
    var reason: String
    var bundleID: BundleID?
}
