import InAppPurchase

struct VersionListBody: Encodable {
    var bundle: BundleName
    /// In ascending order.
    var versions: [VersionBody]
}
