import Content
import Foundation
import Hummingbird
import InAppPurchase

/// The properties of a client that decide which version of a bundle it gets.
struct BundleClient: Hashable, Sendable {
    /// No app has a longer version.
    static let maximumCharacters = 64

    /// The app's version as it was sent; `nil` if it was not.
    let appVersion: String?
    let channel: ReleaseChannel

    /// - Throws: 400 if the version of the app is too long.
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
            mayRead: access.opens, subscriptionDates: access.subscriptionDates)
    }
}
