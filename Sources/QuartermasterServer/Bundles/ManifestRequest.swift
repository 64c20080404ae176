import Hummingbird
import InAppPurchase

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
