import InAppPurchase

struct VersionListBody: Encodable {
    var bundle: BundleName
    /// The lowest first.
    var versions: [VersionBody]
}
