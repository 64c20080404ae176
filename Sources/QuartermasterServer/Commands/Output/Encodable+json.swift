import NIOCore

extension Encodable {
    /// JSON of the HTTP API, on one line.
    var json: String { get throws { String(buffer: try JSONCoding.encode(self)) } }
}
