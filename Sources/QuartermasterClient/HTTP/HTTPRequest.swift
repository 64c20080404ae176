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

    init(_ url: URL) {
        self.url = url
    }

    /// Whether it carries a secret, so that no other host may see it.
    var isAuthorized: Bool { headers["Authorization"] != nil }
}
