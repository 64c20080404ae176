import Content
import Foundation
import Hummingbird
import InAppPurchase

/// Who asks for a bundle, as far as it matters for the version they get.
struct BundleClient: Hashable, Sendable {
    /// No version of an app is longer.
    static let maximumCharacters = 64

    /// As it was sent; nil where it was not.
    let appVersion: String?
    let channel: ReleaseChannel

    /// - Throws: 400 where the version of the app is too long.
    init(_ request: Request, isBeta: Bool) throws {
        appVersion = request.uri.queryParameters["appVersion"].map(String.init)
        channel = isBeta ? .beta : .stable
        guard appVersion?.unicodeScalars.count ?? 0 <= Self.maximumCharacters else {
            throw Problem.invalidRequest("appVersion: at most \(Self.maximumCharacters) characters")
        }
    }

    func reader(_ access: BundleAccess) -> VersionChoice.Reader {
        VersionChoice.Reader(
            appVersion: Availability.Client(appVersion: appVersion).appVersion, isBeta: channel == .beta,
            mayRead: access.opens)
    }
}
