import Basics
import Content
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import ServerHTTP

/// The strong entity tag of a manifest's response: over everything in it but its links and their expiry, the statement
/// that it is the newest, and the delivery.
struct ManifestTag: Sendable {
    private let opaque: String

    /// The value of `ETag`.
    var text: String { "\"\(opaque)\"" }

    /// - Parameter account: the account that the response is for, so that two accounts never share a tag.
    init(_ account: AccountID, _ ready: ReadyManifest) {
        var hash = SHA256()
        // The hash of the payload, and not the signature, which differs between replicas.
        hash.update(data: Data("\(account.text)\n\(ready.signed.sha256)\n\(ready.signed.key)\n".utf8))
        hash.update(data: ready.variantLines)
        opaque = Data(hash.finalize().prefix(16)).hex
    }

    /// The 304 or 412 that the request's conditions call for, which records no delivery; `nil` if the manifest is to be
    /// sent.
    ///
    /// - Parameter fresh: the signed statement that the version is the newest one, if it is.
    func answer(to request: Request, fresh: String?, at date: Date) -> Response? {
        var headers: HTTPFields = [.eTag: text, .cacheControl: "no-store"]
        switch Preconditions(request.headers).outcome(method: request.method.rawValue, etag: opaque, size: 1) {
        case .notModified:
            headers[.quartermasterAt] = TimeFormat.wholeSeconds.text(of: date)
            headers[.quartermasterFresh] = fresh
            return Response(status: .notModified, headers: headers)
        case .preconditionFailed: return Response(status: .preconditionFailed, headers: headers)
        case .whole, .part, .rangeNotSatisfiable: return nil
        }
    }
}
