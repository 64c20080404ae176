import Foundation

/// A request to the server's API.
struct APIRequest: Sendable {
    var method = HTTPRequest.Method.get
    /// The components of the path, not yet percent-encoded.
    var path: [String]
    /// The query parameters in order; those without a value are left out.
    var query: [(name: String, value: String?)] = []
    var headers: [String: String] = [:]
    var body: Data?

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
