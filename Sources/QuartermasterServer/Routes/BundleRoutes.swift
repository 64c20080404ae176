import Content
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// Manifests, signed: which files a bundle has, and a link to each that is good for minutes.
struct BundleRoutes: Sendable {
    let ledger: any Ledger
    let content: any ContentStore
    let grants: GrantKeyring
    let manifests: ManifestSigner
    let decisions: Decisions
    let random: RandomBytes

    func add(to router: RouterGroup<ServerContext>) {
        router.get("bundles/{name}") { request, context in try await manifest(request, context) }
    }

    private func manifest(_ request: Request, _ context: ServerContext) async throws -> Response {
        let name = try context.pathPart("name")
        let version = try request.uri.queryParameters["version"].map { text in
            guard let version = SemanticVersion(String(text)) else { throw Problem.unknownBundle }
            return version
        }
        guard let manifest = try await content.manifest(of: name, version: version) else { throw Problem.unknownBundle }
        let account = try context.account
        let entitlements = try await ledger.entitlements(of: account, in: decisions.context)
            .filter { $0.bundles.contains(name) }
        guard entitlements.contains(where: \.access.isGranted) else { throw Problem.notEntitled(entitlements) }
        let now = decisions.clock()
        let signed = try manifests.sign(manifest, at: now)
        var body = try await body(signed, isNewest: version == nil, at: now)
        // Who asks for the headers only is handed out nothing, and told the same length (RFC 9110 §9.3.2).
        body.delivery =
            request.method == .head ? Names.delivery(random) : try await handOut(signed, to: account, at: now)
        return try .json(body)
    }

    /// Records the delivery. Nil where nothing can be recorded now: what was bought can be read all the same.
    private func handOut(_ signed: SignedManifest, to account: AccountID, at date: Date) async throws -> String? {
        let manifest = HandedOutManifest(
            bundle: signed.manifest.bundle, version: signed.manifest.version.description, sha256: signed.sha256)
        do {
            return try await ledger.handOut(manifest, to: account, id: Names.delivery(random), at: date)
        } catch is LedgerUnavailable {
            return nil
        }
    }

    private func body(_ signed: SignedManifest, isNewest: Bool, at now: Date) async throws -> ManifestBody {
        let manifest = signed.manifest
        let expires = GrantSigner.expiry(at: now)
        let signer = grants.signer
        func link(_ sha256: String) -> String {
            "/v1/content/\(sha256)?grant=\(signer.grant(for: sha256, expires: expires, at: now))"
        }
        var files: [ManifestBody.File] = []
        for file in manifest.files {
            files.append(ManifestBody.File(file, try await content.variants(of: file.sha256), link))
        }
        return ManifestBody(
            bundle: manifest.bundle, version: manifest.version.description, expires: expires,
            minimumAppVersion: manifest.minimumAppVersion, maximumAppVersion: manifest.maximumAppVersion,
            locale: manifest.locale, previousVersions: manifest.previousVersions, files: files,
            signed: signed.jws, fresh: isNewest ? try manifests.freshness(of: signed, at: now) : nil)
    }
}

private struct ManifestBody: Encodable {
    struct File: Encodable {
        var path: String
        var size: Int
        var sha256: String
        var url: String
        /// What makes the file from an older one; absent where there is nothing.
        var patches: [Variant]?
        /// What the file's own link sends to those whose `Accept-Encoding` asks for it.
        var encodings: [Variant]?

        init(_ file: Manifest.File, _ variants: [ContentVariant], _ link: (String) -> String) {
            (path, size, sha256, url) = (file.path, file.size, file.sha256, link(file.sha256))
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
    /// The manifest as it can be checked wherever its files come from.
    var signed: String
    /// That it is the newest; left out where a version was asked for.
    var fresh: String?
    /// By which the client confirms that it has the files.
    var delivery: String?
}

extension Array {
    fileprivate var nonEmpty: [Element]? { isEmpty ? nil : self }
}

extension Problem {
    fileprivate static let unknownBundle = Problem(.notFound, "unknown_bundle", "There is no such bundle or version")

    /// - Parameter denials: the entitlements that would open the bundle.
    fileprivate static func notEntitled(_ denials: [ProductEntitlement]) -> Problem {
        let reasons = denials.compactMap { denial in
            if case .denied(let reason) = denial.access { reason.rawValue } else { nil }
        }
        return Problem(
            .forbidden, "not_entitled", "Nothing this account bought opens the bundle",
            reason: reasons.first ?? "notPurchased")
    }
}
