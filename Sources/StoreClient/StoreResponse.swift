package import NIOCore
package import NIOHTTP1

/// A store's response to an HTTP request.
package struct StoreResponse: Sendable {
    /// The status code.
    package var status: HTTPResponseStatus
    /// The headers.
    package var headers: HTTPHeaders
    /// The body; empty if it was larger than is read.
    package var body: ByteBuffer
}
