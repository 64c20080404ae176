import Content
import HTTPTypes
import InAppPurchase
import Ledger
import ServerHTTP

/// The access of one account and its app to a bundle.
struct OpenBundle: Sendable {
    let access: BundleAccess
    let choice: VersionChoice
    /// The version that was requested; `nil` for the newest.
    private let wanted: SemanticVersion?

    /// - Parameters:
    ///   - records: the bundle's versions with their dates of publication.
    ///   - isOpen: whether every account has access to the bundle.
    /// - Throws: 404 if there is no such bundle or version, 403 if the account has no access to it.
    init(
        _ name: BundleName, _ records: [VersionRecord], version wanted: SemanticVersion?,
        by entitlements: [ProductEntitlement], isOpen: Bool, for client: BundleClient
    ) throws {
        let isThere = records.contains { record in
            record.state != .draft && (wanted == nil || record.manifest.version == wanted)
        }
        guard isThere else { throw Problem.unknownBundle }
        access = try BundleAccess(name, by: entitlements, isOpen: isOpen)
        choice = VersionChoice(records, for: client.reader(access))
        self.wanted = wanted
    }

    /// The manifest that the account gets.
    ///
    /// - Throws: 403 if the account keeps access to other versions only, 404 if its app can read none, or the version
    ///   is for others.
    var manifest: Manifest {
        get throws {
            if let record = wanted.map(choice.version) ?? choice.newest { return record.manifest }
            if !access.isGranted, wanted != nil || choice.readable.isEmpty { throw access.notEntitled }
            throw wanted == nil ? Problem.noFittingVersion : Problem.unknownBundle
        }
    }

    /// Whether the manifest is the newest one for the account.
    var isNewest: Bool { wanted == nil && access.isGranted }
}

extension Problem {
    static let unknownBundle = Problem(.notFound, "unknown_bundle", "Unknown bundle or version")
    static let noFittingVersion = Problem(
        .notFound, "no_fitting_version", "No version of the bundle supports this app version")
}
