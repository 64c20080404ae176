import InAppPurchase

/// The optional body of a request for a new account.
struct AccountRequestBody: RequestBody {
    /// The app that the account is made for, which may give starting credits; not needed where one app is served.
    var bundleID: BundleID?
}
