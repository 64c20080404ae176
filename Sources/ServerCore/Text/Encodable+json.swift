import NIOCore
import ServerHTTP

extension Encodable {
    /// The JSON in the format of the HTTP API, on one line.
    package var json: String { get throws { String(buffer: try JSONCoding.encode(self)) } }
}
