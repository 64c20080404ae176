import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An exchange without a complete answer. Except after ``notConnected``, ``networkNotAllowed`` and ``insecure``, it is
/// not known whether the server did what was asked.
public enum ConnectionError: Error, Sendable, Equatable {
    /// There was no connection: nothing was sent. Also where the app may not use mobile data, or not abroad.
    case notConnected
    /// The network that is there is not one that the request may use: nothing was sent.
    case networkNotAllowed
    /// The system does not allow a connection without TLS (App Transport Security): nothing was sent, and nothing will
    /// be until the server's URL is another. Use `https:`, or on a developer's machine `http://localhost`.
    case insecure
    /// The connection broke.
    case unreachable
    /// The server sent nothing for 20 seconds, or not all by the deadline.
    case timedOut
    /// The answer is larger than the limit.
    case tooLarge
    /// The answer was a redirect, which is followed for content only, and never to a connection without TLS.
    case redirected
}

extension ConnectionError {
    /// The error of the system, as far as it matters whether anything was sent.
    init(_ error: URLError) {
        #if !canImport(FoundationNetworking)
            guard error.networkUnavailableReason == nil else {
                self = .networkNotAllowed
                return
            }
        #endif
        switch error.code {
        case .timedOut: self = .timedOut
        case .cannotConnectToHost, .cannotFindHost, .dnsLookupFailed, .notConnectedToInternet, .dataNotAllowed,
            .internationalRoamingOff:
            self = .notConnected
        case .appTransportSecurityRequiresSecureConnection: self = .insecure
        default: self = .unreachable
        }
    }

    /// Whether nothing was sent.
    var isUnsent: Bool { self == .notConnected || self == .networkNotAllowed || self == .insecure }
}
