import Foundation

/// A request to a server, with a limit for what comes back.
struct HTTPRequest: Sendable {
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    var method = Method.get
    var url: URL
    var headers: [String: String] = [:]
    var body: Data?
    /// How long the whole exchange may take; `nil` for as long as the transport waits.
    var deadline: Duration?
    /// Whether another host may answer it. An answer of the API comes from the server itself.
    var followsRedirects = false
    /// The networks that it may use.
    var networks = AllowedNetworks()

    init(_ url: URL) { self.url = url }

    /// Whether it carries a secret, so that no other host may see it.
    var isAuthorized: Bool { headers["Authorization"] != nil }

    /// Whether a redirect to the URL is followed: to HTTPS, and from a server without TLS, which is one of a
    /// developer's machine, to its like.
    func follows(to target: URL?) -> Bool {
        guard followsRedirects, !isAuthorized else { return false }
        return target?.scheme == "https" || (target?.scheme == "http" && url.scheme == "http")
    }
}
