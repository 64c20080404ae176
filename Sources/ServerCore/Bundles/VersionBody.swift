package import Content
import Foundation
package import InAppPurchase

/// A version of a bundle, as the admin API answers it.
package struct VersionBody: Codable {
    package var bundle: BundleName
    package var version: String
    package var state: PublicationState
    var publishedAt: Date?
    package var files: Int
    package var bytes: Int
    var minimumAppVersion: String?
    var maximumAppVersion: String?
    var locale: String?
    /// Omitted if it is not.
    package var essential: Bool?
    /// Omitted if it is for all.
    package var languages: [String]?
    var patch: Bool?
    /// Omitted if the publisher did not set one.
    package var channel: ReleaseChannel?
    /// The hashes of the files that are to be uploaded.
    package var missing: [String]?
    /// The paths of files that are programs or scripts; omitted if there are none.
    package var programs: [String]?

    package init(_ record: VersionRecord, missing: [String]? = nil, programs: [String] = []) {
        let manifest = record.manifest
        bundle = manifest.bundle
        version = manifest.version.description
        state = record.state
        publishedAt = record.publishedAt
        patch = record.isPatch ? true : nil
        files = manifest.files.count
        bytes = manifest.bytes
        locale = manifest.locale
        essential = manifest.listedEssential
        languages = manifest.listedLanguages
        minimumAppVersion = manifest.minimumAppVersion?.description
        maximumAppVersion = manifest.maximumAppVersion?.description
        channel = record.channel
        self.missing = missing
        self.programs = programs.isEmpty ? nil : programs
    }
}

/// The versions of a bundle.
package struct VersionListBody: Codable {
    package var bundle: BundleName
    /// In ascending order.
    package var versions: [VersionBody]
}
