import Content
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger

/// Lists bundles and issues signed manifests: the files of a version, each with a link that is valid for minutes.
struct BundleRoutes: Sendable {
    let ledger: any Ledger
    let content: any ContentRepository
    let publications: PublicationDates
    let grants: GrantKeyring
    let manifests: ManifestSigner
    let decisions: ServingContext
    let random: RandomBytes

    func add(to router: RouterGroup<ServerContext>) {
        router.get("bundles") { request, context in try await list(request, context) }
        router.get("bundles/{name}") { request, context in try await manifest(request, context) }
    }

    private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (account, decision) = (try context.account, decisions.context)
        let client = try BundleClient(request, isBeta: try await ledger.isBeta(account))
        let entitlements = try await ledger.entitlements(of: account, in: decision)
        let openBundles = decision.catalog.openBundles
        var bundles: [BundleListBody.Bundle] = []
        for name in openBundles.union(entitlements.flatMap(\.bundles)).sorted() {
            let records = try await publications.records(of: name, at: decision.date)
            let open = try? OpenBundle(
                name, records, version: nil, by: entitlements, isOpen: openBundles.contains(name), for: client)
            if let choice = open?.choice, !choice.readable.isEmpty {
                bundles.append(BundleListBody.Bundle(name, choice))
            }
        }
        return try .json(BundleListBody(bundles: bundles))
    }

    private func manifest(_ request: Request, _ context: ServerContext) async throws -> Response {
        let name = try context.pathPart("name", as: BundleName.self)
        let wanted = try request.uri.queryParameters["version"].map { text in
            guard let version = SemanticVersion(String(text)) else { throw Problem.unknownBundle }
            return version
        }
        let lifetime = try LinkLifetime(request)
        let (account, decision) = (try context.account, decisions.context)
        let client = try BundleClient(request, isBeta: try await ledger.isBeta(account))
        let open = try OpenBundle(
            name, try await publications.records(of: name, at: decision.date), version: wanted,
            by: try await ledger.entitlements(of: account, in: decision),
            isOpen: decision.catalog.openBundles.contains(name), for: client)
        let signed = try manifests.sign(try open.manifest, at: decision.date)
        let fresh = open.isNewest ? try manifests.freshness(of: signed, for: client, at: decision.date) : nil
        let variants = try await variants(of: signed.manifest)
        let tag = ManifestTag(account, signed, variants)
        if let answer = tag.answer(to: request, fresh: fresh, at: decision.date) { return answer }
        let mayBeLong = lifetime.isLong ? try await !hasRefund(account, open.access, name, decision.catalog) : false
        let expires = lifetime.expiry(accessUntil: open.access.until, mayBeLong: mayBeLong, at: decision.date)
        var body = body(signed, variants, expires: expires, at: decision.date)
        body.fresh = fresh
        let asked = lifetime.seconds.map {
            min($0, Int(clamping: expires.timeIntervalSince(decision.date).rounded(.up)))
        }
        // A HEAD request issues no manifest, and its response announces the same length (RFC 9110 §9.3.2).
        body.delivery =
            request.method == .head
            ? Names.delivery(random)
            : try await issueManifest(signed, linkLifetime: asked, to: account, at: decision.date)
        return try .json(body, headers: [.eTag: tag.text])
    }

    /// Whether the account has a refund in one of the apps that give it access to the bundle.
    private func hasRefund(
        _ account: AccountID, _ access: BundleAccess, _ bundle: BundleName, _ catalog: Catalog
    ) async throws -> Bool {
        let open = catalog.apps.filter { $0.openBundles.contains(bundle) }.map(\.bundleID)
        for app in access.apps.union(open) where try await ledger.hasRefund(account, in: app) { return true }
        return false
    }

    /// Records the delivery; `nil` if it cannot be recorded now: what was bought can be downloaded all the same.
    private func issueManifest(
        _ signed: SignedManifest, linkLifetime: Int?, to account: AccountID, at date: Date
    ) async throws -> String? {
        let manifest = IssuedManifest(
            bundle: signed.manifest.bundle, version: signed.manifest.version.description, sha256: signed.sha256,
            linkLifetime: linkLifetime)
        do {
            return try await ledger.issueManifest(manifest, to: account, id: Names.delivery(random), at: date)
        } catch is LedgerUnavailable {
            return nil
        }
    }

    /// The variants of the manifest's files, by the SHA-256 of the file.
    private func variants(of manifest: Manifest) async throws -> [String: [ContentVariant]] {
        var variants: [String: [ContentVariant]] = [:]
        for file in manifest.files { variants[file.sha256] = try await content.variants(of: file.sha256) }
        return variants
    }

    private func body(
        _ signed: SignedManifest, _ variants: [String: [ContentVariant]], expires: Date, at now: Date
    ) -> ManifestBody {
        let manifest = signed.manifest
        let signer = grants.signer
        func link(_ sha256: String) -> String {
            "/v1/content/\(sha256)?grant=\(signer.grant(for: sha256, expires: expires, at: now))"
        }
        let files = manifest.files.map { ManifestBody.File($0, variants[$0.sha256] ?? [], link) }
        return ManifestBody(
            bundle: manifest.bundle, version: manifest.version.description, expires: expires,
            minimumAppVersion: manifest.minimumAppVersion, maximumAppVersion: manifest.maximumAppVersion,
            locale: manifest.locale, previousVersions: manifest.previousVersions, files: files, signed: signed.jws)
    }
}

private struct ManifestBody: Encodable {
    struct File: Encodable {
        var path: String
        var size: Int
        var sha256: String
        var url: String
        /// The patches that make the file from an older one; omitted if there are none.
        var patches: [Variant]?
        /// The encodings in which the file's own link is sent if `Accept-Encoding` asks for them; omitted if there are
        /// none.
        var encodings: [Variant]?

        init(_ file: Manifest.File, _ variants: [ContentVariant], _ link: (String) -> String) {
            path = file.path
            size = file.size
            sha256 = file.sha256
            url = link(file.sha256)
            let listed = variants.map { variant in
                Variant(
                    encoding: variant.encoding, from: variant.from, size: variant.size, sha256: variant.sha256,
                    url: variant.encoding == .patch ? link(variant.sha256) : nil)
            }
            patches = listed.filter { $0.encoding == .patch }.nonEmpty
            encodings = listed.filter { $0.encoding != .patch }.nonEmpty
        }
    }

    struct Variant: Encodable {
        var encoding: ContentVariant.Encoding
        var from: String?
        var size: Int
        var sha256: String
        var url: String?
    }

    var bundle: BundleName
    var version: String
    var expires: Date
    var minimumAppVersion: SemanticVersion?
    var maximumAppVersion: SemanticVersion?
    var locale: String?
    var previousVersions: [SemanticVersion]
    var files: [File]
    /// The signed manifest (JWS), which can be verified wherever its files come from.
    var signed: String
    /// A signed statement that it is the newest version for the client; omitted if it is not needed.
    var fresh: String?
    /// The ID with which the client confirms that it has the files.
    var delivery: String?
}

extension Array {
    fileprivate var nonEmpty: [Element]? { isEmpty ? nil : self }
}

/// The bundles that an account has access to.
private struct BundleListBody: Encodable {
    struct Bundle: Encodable {
        var bundle: BundleName
        /// The version that the client gets by default; omitted if its app can read none.
        var version: String?
        /// The size of that version's files, in bytes.
        var size: Int?
        /// When that version was published.
        var publishedAt: Date?
        /// The versions that it can request, in ascending order.
        var versions: [String]

        init(_ name: BundleName, _ choice: VersionChoice) {
            bundle = name
            let newest = choice.newest
            version = newest?.manifest.version.description
            size = newest?.manifest.bytes
            publishedAt = newest?.publishedAt
            versions = choice.readable.map(\.manifest.version.description)
        }
    }

    var bundles: [Bundle]
}
