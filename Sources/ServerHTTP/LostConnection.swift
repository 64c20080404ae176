import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOSSL

extension Error {
    /// Whether the error means that the client is gone, as a phone without signal is, or was disconnected. Errors of
    /// files are never of these kinds, and those of connections to the App Store do not come here.
    package var isLostConnection: Bool {
        switch self {
        case let error as IOError: [ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN, ETIMEDOUT].contains(error.errnoCode)
        // Bytes that are not TLS, a TLS connection that ends without `close_notify`, or a stream that was reset.
        case is NIOSSLError, is BoringSSLError, is NIOSSLCloseTimedOutError, is any NIOHTTP2Error: true
        default: false
        }
    }
}

extension HTTPResponse.Status {
    /// A status that is never sent: in the log and the metrics it stands for a request whose client did not wait for
    /// the response, as in nginx.
    static let clientClosedRequest = Self(code: 499, reasonPhrase: "Client Closed Request")
}
