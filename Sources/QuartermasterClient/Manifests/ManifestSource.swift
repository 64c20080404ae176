import Foundation

/// Requests manifests, and accepts only those that the server signed and that are not older than what it stated before.
actor ManifestSource {
    /// The newest version, compared with the installed one.
    enum Newest: Sendable {
        /// The installed version is the newest.
        case unchanged
        case manifest(CheckedManifest)
    }

    private let session: AccountSession
    private let keys: ManifestKeys
    private let folder: BundleFolder
    private let time: ServerTime
    private let appVersion: String?
    private let linkLifetime: Int?
    /// Whether the account keeps versions of a bundle whose access has ended. Until ``ask(isRetained:)`` is called,
    /// none.
    private var isRetained: @Sendable (String) async throws -> Bool = { _ in false }

    /// - Parameters:
    ///   - time: the server's, as other answers told it.
    ///   - linkLifetime: how long links are to be valid, in seconds, if not as long as the server decides.
    init(
        session: AccountSession, keys: ManifestKeys, folder: BundleFolder, time: ServerTime, appVersion: String?,
        linkLifetime: Int?
    ) {
        self.session = session
        self.keys = keys
        self.folder = folder
        self.time = time
        self.appVersion = appVersion
        self.linkLifetime = linkLifetime
    }

    /// Sets the function that is asked about answers without a statement.
    func ask(isRetained: @escaping @Sendable (String) async throws -> Bool) { self.isRetained = isRetained }

    /// The newest manifest of a bundle, with links.
    ///
    /// - Throws: ``DownloadError``, or what ``AccountSession/send(_:)`` throws.
    func manifest(of bundle: String) async throws -> CheckedManifest {
        try await checked(session.send(request(bundle)), of: bundle)
    }

    /// Whether there is something newer than what is installed. It costs a few hundred bytes if there is not.
    ///
    /// - Throws: as ``manifest(of:)``.
    func newest(after record: BundleRecord) async throws -> Newest {
        var request = request(record.bundle)
        if let tag = record.entityTag { request.headers["If-None-Match"] = tag }
        let response = try await session.send(request)
        guard response.status == 304 else { return .manifest(try await checked(response, of: record.bundle)) }
        guard let version = BundleVersion(record.version) else { throw DownloadError.unusableManifest }
        let subject = FreshStatement.Subject(
            bundle: record.bundle, version: version, manifest: record.manifest, appVersion: appVersion)
        try await accept(response["Quartermaster-Fresh"], of: response, for: subject)
        return .unchanged
    }

    private func request(_ bundle: String) -> APIRequest {
        var request = APIRequest(.get, "v1", "bundles", bundle)
        request.query = [("appVersion", appVersion), ("linkLifetime", linkLifetime.map(String.init))]
        request.mayUseMirror = true
        return request
    }

    private func checked(_ response: HTTPResponse, of bundle: String) async throws -> CheckedManifest {
        let answer = try JSONDecoder().decode(ManifestAnswer.self, from: response.body)
        let payload = try await keys.payload(of: answer.signed, type: "quartermaster-manifest")
        let manifest = try SignedManifest(payload)
        guard manifest.bundle == bundle else { throw DownloadError.signature }
        let subject = FreshStatement.Subject(
            bundle: bundle, version: manifest.version, manifest: manifest.sha256, appVersion: appVersion)
        try await accept(answer.fresh, of: response, for: subject)
        return CheckedManifest(manifest: manifest, answer: answer, entityTag: response["ETag"])
    }

    /// Checks the statement that the version is the newest. Only a version that is kept after its subscription may have
    /// none; it must not be below the newest that was accepted before.
    private func accept(
        _ statement: String?, of response: HTTPResponse, for subject: FreshStatement.Subject
    ) async throws {
        let file = folder.remembered(subject.bundle)
        guard let statement else {
            if let remembered = try file.load(), FreshStatement.isBelow(subject.version, remembered.version) {
                throw DownloadError.rollback
            }
            guard try await isRetained(subject.bundle) else { throw DownloadError.stale }
            return
        }
        let fresh = try FreshStatement(await keys.payload(of: statement, type: "quartermaster-freshness"))
        // Nothing is awaited from here: two answers at once are compared one after the other.
        let remembered = try file.load()
        let accepted = try fresh.accepted(for: subject, after: remembered, now: time.latest(with: response))
        if accepted != remembered { try file.save(accepted) }
    }
}

/// A manifest whose signature and freshness are right, with the links of its answer.
struct CheckedManifest: Sendable {
    let manifest: SignedManifest
    let answer: ManifestAnswer
    /// The entity tag for asking later whether there is something new.
    let entityTag: String?
}
