/// Why the App Store Server API did not give what was asked for.
public enum AppStoreServerError: Error, Hashable, Sendable {
    /// Final: no environment that was asked has such a transaction, order or token, or nothing of the kind belongs to
    /// it. The code is nil where the store says so without one.
    case notFound(AppStoreServerErrorCode?)
    /// Final for this very request, also with a code that is not known here.
    case refused(AppStoreServerErrorCode)
    /// Nothing is known; what was known before stands. `misconfigured` where the key or the settings are wrong.
    case unavailable(Unavailability)
}

extension AppStoreServerError {
    static func temporary(_ detail: String) -> Self { .unavailable(Unavailability(.temporary, detail)) }

    /// Of ``VerifierUnavailable``.
    static var busy: Self { .temporary("too many signers that are not known wait to be verified") }

    /// Whether the other environment may have it.
    var leadsElsewhere: Bool {
        guard case .notFound(let code?) = self else { return false }
        return AppStoreServerErrorCode.elsewhere.contains(code)
    }
}
