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

    /// Whether the other environment may have it: Production does not know it, or refuses the key, as it does for an
    /// app that it does not sell yet.
    var leadsElsewhere: Bool { isNotFound || isRefusedKey }

    /// The error of a question that Production answered with this error, and the sandbox with `other`: nothing is
    /// found nowhere unless both say so, and the key is wrong only if both refuse it.
    func joined(_ other: Self) -> Self {
        switch (isRefusedKey, other.isRefusedKey) {
        case (true, false) where other.isFinal: .temporary("Production refuses the key, and the sandbox does not")
        case (false, true): .temporary("the sandbox refuses the key, and Production does not")
        default: other
        }
    }

    private var isNotFound: Bool {
        switch self {
        case .notFound(.some), .refused(.invalidTransactionID): true
        case .notFound, .refused, .unavailable: false
        }
    }

    /// Whether the App Store refused the key.
    var isRefusedKey: Bool {
        guard case .unavailable(let trouble) = self else { return false }
        return trouble.credential == .serverAPIKey
    }

    private var isFinal: Bool {
        guard case .unavailable = self else { return true }
        return false
    }
}
