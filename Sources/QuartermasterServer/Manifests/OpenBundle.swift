import Content
import HTTPTypes
import InAppPurchase

/// A bundle as it is open to one account and its app.
struct OpenBundle: Sendable {
    let access: BundleAccess
    let choice: VersionChoice
    /// Asked for by its number; nil where the newest is.
    private let wanted: SemanticVersion?

    /// - Parameter records: its versions with the dates they were published.
    /// - Throws: 404 where there is no such bundle or version, 403 where nothing opens it.
    init(
        _ name: BundleName, _ records: [VersionRecord], version wanted: SemanticVersion?,
        by entitlements: [ProductEntitlement], for client: BundleClient
    ) throws {
        let isThere = records.contains { record in
            record.state != .draft && (wanted == nil || record.manifest.version == wanted)
        }
        guard isThere else { throw Problem.unknownBundle }
        access = try BundleAccess(name, by: entitlements)
        choice = VersionChoice(records, for: client.reader(access))
        self.wanted = wanted
    }

    /// What the account gets.
    ///
    /// - Throws: 403 where what it keeps is something else, 404 where its app cannot read any, or the version is for
    ///   others.
    var manifest: Manifest {
        get throws {
            if let record = wanted.map(choice.version) ?? choice.newest { return record.manifest }
            if !access.isGranted, wanted != nil || choice.readable.isEmpty { throw access.notEntitled }
            throw wanted == nil ? Problem.noFittingVersion : Problem.unknownBundle
        }
    }

    /// Whether what it gets is the newest there is for it.
    var isNewest: Bool { wanted == nil && access.isGranted }
}

extension Problem {
    static let unknownBundle = Problem(.notFound, "unknown_bundle", "Unknown bundle or version")
    static let noFittingVersion = Problem(
        .notFound, "no_fitting_version", "No version of the bundle supports this app version")
}
