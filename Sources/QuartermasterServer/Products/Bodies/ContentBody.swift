import Content
import InAppPurchase
import ServerHTTP

/// A version of a bundle, as apps get it with a product.
struct ContentBody: Encodable {
    var bundle: BundleName
    var version: String
    /// The size of all files, in bytes.
    var size: Int

    init(_ record: VersionRecord) {
        bundle = record.manifest.bundle
        version = record.manifest.version.description
        size = record.manifest.bytes
    }
}
