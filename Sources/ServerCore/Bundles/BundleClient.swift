import Content
import Foundation
import Hummingbird
import InAppPurchase
import ServerHTTP

/// The properties of a client that decide which version of a bundle it gets.
struct BundleClient: Hashable, Sendable {
    /// The maximum length of an app's version; no app has a longer one.
    static let maximumCharacters = 64

    /// The app's version as it was sent; `nil` if it was not.
    let appVersion: String?
    let channel: ReleaseChannel

    /// - Parameter appVersion: see ``appVersion(of:)``.
    init(appVersion: String?, isBeta: Bool) {
        self.appVersion = appVersion
        channel = isBeta ? .beta : .stable
    }

    /// The app's version as the request has it; `nil` if it has none.
    ///
    /// - Throws: 400 if it is too long.
    static func appVersion(of request: Request) throws -> String? {
        let appVersion = request.uri.queryParameters["appVersion"].map(String.init)
        guard appVersion?.unicodeScalars.count ?? 0 <= maximumCharacters else {
            throw Problem.invalidRequest("appVersion: at most \(maximumCharacters) characters")
        }
        return appVersion
    }

    func reader(_ access: BundleAccess) -> VersionChoice.Reader {
        VersionChoice.Reader(
            appVersion: Availability.Client(appVersion: appVersion).appVersion, isBeta: channel == .beta,
            mayRead: access.opens, subscriptionDates: access.subscriptionDates)
    }
}
