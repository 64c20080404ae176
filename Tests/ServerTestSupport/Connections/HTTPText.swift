/// A request as it goes over the wire.
package struct HTTPText: Sendable {
    package var method: String
    package var path: String
    package var headers: String
    package var body: String

    package init(_ method: String, _ path: String, _ headers: String = "", body: String = "") {
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body
    }

    package var bytes: [UInt8] { bytes(body: Array(body.utf8)) }

    /// The request with another body, and the length of it.
    package func bytes(body: [UInt8]) -> [UInt8] {
        let length = body.isEmpty ? "" : "Content-Length: \(body.count)\r\n"
        return Array("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\(headers)\(length)\r\n".utf8) + body
    }
}
