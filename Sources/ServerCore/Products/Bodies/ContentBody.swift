import Content
package import InAppPurchase
import ServerHTTP

/// A version of a bundle, as apps get it with a product.
package struct ContentBody: Encodable {
    package var bundle: BundleName
    package var version: String
    /// The size of all files, in bytes.
    package var size: Int

    init(_ record: VersionRecord) {
        bundle = record.manifest.bundle
        version = record.manifest.version.description
        size = record.manifest.bytes
    }
}
