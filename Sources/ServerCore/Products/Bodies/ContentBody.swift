import Content
package import InAppPurchase
import ServerHTTP

/// A version of a bundle, as apps get it with a product.
package struct ContentBody: Encodable {
    package var bundle: BundleName
    package var version: String
    /// The size of all files, in bytes.
    package var size: Int
    /// Whether apps should download it as soon as a player may have it; omitted if not.
    package var essential: Bool?
    /// The languages of the players that it is for; omitted if it is for all.
    package var languages: [String]?

    init(_ record: VersionRecord) {
        bundle = record.manifest.bundle
        version = record.manifest.version.description
        size = record.manifest.bytes
        essential = record.manifest.listedEssential
        languages = record.manifest.listedLanguages
    }
}
