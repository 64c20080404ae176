public import StoreClient

/// An error of a request to the App Store Server API.
public enum AppStoreServerError: Error, Hashable, Sendable {
    /// Final: no environment that was asked has such a transaction, order or token, or nothing of the requested kind
    /// belongs to it. The code is `nil` if the App Store's response has none.
    case notFound(AppStoreServerErrorCode?)
    /// Final for this very request, also with a code that this version does not know.
    case refused(AppStoreServerErrorCode)
    /// Nothing was learned; earlier knowledge stands. The cause is `misconfigured` if the key or the settings are
    /// wrong.
    case unavailable(Unavailability)
}

extension AppStoreServerError {
    static func temporary(_ detail: String) -> Self { .unavailable(Unavailability(.temporary, detail)) }

    /// The error for a ``VerifierUnavailable``.
    static var busy: Self { .temporary("too many signers that are not known wait to be verified") }

    /// Whether the other environment may have it.
    var leadsElsewhere: Bool {
        guard case .notFound(let code?) = self else { return false }
        return AppStoreServerErrorCode.elsewhere.contains(code)
    }
}
