import Foundation

/// The server, as it is reached over HTTP.
struct API: Sendable {
    /// The URL of the server, without `/v1`.
    let server: URL
    let transport: HTTPTransport
    let addresses: ServerAddresses

    init(server: URL, transport: HTTPTransport, addresses: ServerAddresses? = nil) {
        self.server = server
        self.transport = transport
        self.addresses = addresses ?? ServerAddresses(server)
    }

    /// Sends a request, also to the server's mirrors if it may be and the server is away.
    ///
    /// - Parameter token: an access token; `nil` for what needs none.
    /// - Returns: an answer that is 2xx or 304.
    /// - Throws: ``ServerProblem`` for any other, ``ConnectionError``, or `CancellationError`.
    func send(_ request: APIRequest, token: String? = nil) async throws -> HTTPResponse {
        guard request.mayUseMirror else { return try await send(request, to: server, token) }
        var firstError: (any Error)?
        for address in addresses.inTurn {
            do {
                let response = try await send(request, to: address, token)
                addresses.use(address)
                return response
            } catch  where ServerAddresses.isAway(error) {
                firstError = firstError ?? error
            }
        }
        throw firstError ?? ConnectionError.unreachable
    }

    private func send(_ request: APIRequest, to address: URL, _ token: String?) async throws -> HTTPResponse {
        var sent = HTTPRequest(try url(of: request, at: address))
        sent.method = request.method
        sent.headers = request.headers
        sent.headers["Accept"] = "application/json"
        if let token { sent.headers["Authorization"] = "Bearer \(token)" }
        sent.body = request.body
        let response = try await transport.send(sent)
        guard response.isSuccess || response.status == 304 else { throw ServerProblem(response) }
        return response
    }

    /// A link of an answer, which may be relative to the server, or to one of its mirrors. `nil` if it is not an HTTP
    /// URL.
    func url(link: String, at address: URL) -> URL? {
        guard let url = URL(string: link, relativeTo: address)?.absoluteURL,
            url.scheme == "https" || url.scheme == "http"
        else { return nil }
        return url
    }

    private func url(of request: APIRequest, at address: URL) throws -> URL {
        let path = request.path.map { $0.percentEncoded }.joined(separator: "/")
        var text = address.absoluteString
        while text.hasSuffix("/") { text.removeLast() }
        text += "/" + path
        let query = request.query.compactMap { each in each.value.map { "\(each.name)=\($0.percentEncoded)" } }
        if !query.isEmpty { text += "?" + query.joined(separator: "&") }
        guard let url = URL(string: text) else { throw URLError(.badURL) }
        return url
    }
}

extension String {
    /// The string with everything but RFC 3986's unreserved characters percent-encoded.
    fileprivate var percentEncoded: String {
        let unreserved = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        return addingPercentEncoding(withAllowedCharacters: unreserved) ?? ""
    }
}

/// A request to the server's API.
struct APIRequest: Sendable {
    var method = HTTPRequest.Method.get
    /// The components of the path, not yet percent-encoded.
    var path: [String]
    /// The query parameters in order; those without a value are left out.
    var query: [(name: String, value: String?)] = []
    var headers: [String: String] = [:]
    var body: Data?
    /// Whether a mirror may answer it: it changes nothing, and what it answers is signed or public.
    var mayUseMirror = false

    init(_ method: HTTPRequest.Method = .get, _ path: String...) {
        self.method = method
        self.path = path
    }

    /// The same request with a JSON body.
    func json(_ value: some Encodable) throws -> Self {
        var copy = self
        copy.body = try JSONEncoder().encode(value)
        copy.headers["Content-Type"] = "application/json"
        return copy
    }
}
