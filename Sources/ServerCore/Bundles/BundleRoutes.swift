import Content
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP

/// Lists bundles and issues signed manifests: the files of a version, each with a link that is valid for minutes.
struct BundleRoutes: RouteFeature {
    let ledger: any AccountLedger & DeliveryLedger
    let content: any ContentRepository
    let publications: PublicationDates
    let grants: GrantKeyring
    let manifests: ManifestSigner
    let decisions: ServingContext
    let random: RandomBytes

    func add(to groups: RouteGroups) {
        groups.player.on(.get, "bundles", RouteFacts("listBundles")) { try await list($0, $1) }
        // It reads the session along with everything else it needs.
        let manifest = RouteFacts("getManifest")
        groups.open.on(.get, "bundles/{name}", manifest, for: .players) { try await self.manifest($0, $1) }
    }

    private func list(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (account, decision) = (try context.account, decisions.context)
        let client = BundleClient(
            appVersion: try BundleClient.appVersion(of: request), isBeta: try await ledger.isBeta(account))
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
        let wanted: ManifestRequest
        do {
            wanted = try ManifestRequest(request, context)
        } catch {
            // A client without a session learns nothing else.
            try await PlayerAuthentication(ledger: ledger).authenticate(request, context)
            throw error
        }
        let decision = decisions.context
        let facts = try await facts(for: wanted, request, context, in: decision)
        let client = BundleClient(appVersion: wanted.appVersion, isBeta: facts.isBeta)
        // Read before the records, so that what is cached with newer records is made again.
        let state = ContentState(of: content)
        let open = try OpenBundle(
            wanted.bundle, try await publications.records(of: wanted.bundle, at: decision.date),
            version: wanted.version, by: facts.entitlements,
            isOpen: decision.catalog.openBundles.contains(wanted.bundle), for: client)
        let ready = try await manifests.ready(try open.manifest, state, at: decision.date) { [content] sha256 in
            try await content.variants(of: sha256)
        }
        let fresh = open.isNewest ? try manifests.freshness(of: ready.signed, for: client, at: decision.date) : nil
        let tag = ManifestTag(facts.account, ready)
        if let answer = tag.answer(to: request, fresh: fresh, at: decision.date) { return answer }
        let expires = wanted.lifetime.expiry(
            accessUntil: open.access.until, mayBeLong: wanted.lifetime.isLong && !facts.hasRefund, at: decision.date)
        let issued = ready.issued(wanted.lifetime, expires: expires, at: decision.date)
        let delivery = try await delivery(of: issued, facts, isIssued: request.method != .head, at: decision.date)
        let body = ready.body(
            delivery: delivery, expires: expires, fresh: fresh, grants: grants.signer, at: decision.date)
        return .json(parts: body, headers: [.eTag: tag.text])
    }

    private func facts(
        for wanted: ManifestRequest, _ request: Request, _ context: ServerContext, in decision: RecordingContext
    ) async throws -> ManifestFacts {
        try await PlayerAuthentication.admit(request, context) { token in
            let question = ManifestQuestion(token: token, bundle: wanted.bundle, asksForRefunds: wanted.lifetime.isLong)
            return try await ledger.manifestFacts(question, in: decision).map { ($0.account, $0) }
        }
    }

    /// The ID of the delivery, which is recorded unless it is known already; `nil` if it cannot be recorded now: what
    /// was bought can be downloaded all the same.
    ///
    /// - Parameter isIssued: `false` for a HEAD request, which issues no manifest, and whose response announces the
    ///   length of GET's (RFC 9110 §9.3.2).
    private func delivery(
        of manifest: IssuedManifest, _ facts: ManifestFacts, isIssued: Bool, at date: Date
    ) async throws -> String? {
        if let known = facts.delivery(of: manifest) { return known }
        guard isIssued else { return Names.noDelivery }
        do {
            return try await ledger.issueManifest(manifest, to: facts.account, id: Names.delivery(random), at: date)
        } catch is LedgerUnavailable {
            return nil
        }
    }
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
        /// Whether apps should download that version at once; omitted if not.
        var essential: Bool?
        /// The languages of the players that that version is for; omitted if it is for all.
        var languages: [String]?
        /// The versions that it can request, in ascending order.
        var versions: [String]

        init(_ name: BundleName, _ choice: VersionChoice) {
            bundle = name
            let newest = choice.newest
            version = newest?.manifest.version.description
            size = newest?.manifest.bytes
            publishedAt = newest?.publishedAt
            essential = newest?.manifest.listedEssential
            languages = newest?.manifest.listedLanguages
            versions = choice.readable.map(\.manifest.version.description)
        }
    }

    var bundles: [Bundle]
}

/// A request for a manifest.
struct ManifestRequest: Sendable {
    let bundle: BundleName
    /// The version; `nil` for the newest that the client can read.
    let version: SemanticVersion?
    let lifetime: LinkLifetime
    /// The app's version as it was sent.
    let appVersion: String?

    /// - Throws: 404 for an invalid bundle name or version, 422 for an invalid lifetime, and 400 for an app version
    ///   that is too long.
    init(_ request: Request, _ context: ServerContext) throws {
        bundle = try context.pathPart("name", as: BundleName.self)
        version = try request.uri.queryParameters["version"].map { text in
            guard let version = SemanticVersion(String(text)) else { throw Problem.unknownBundle }
            return version
        }
        lifetime = try LinkLifetime(request)
        appVersion = try BundleClient.appVersion(of: request)
    }
}
