import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOSSL

extension Error {
    /// The client is gone, as a phone without signal is, or was cut off. No file ever fails so, and what the store's
    /// connection does never comes here.
    var isLostConnection: Bool {
        switch self {
        case let error as IOError: [ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN, ETIMEDOUT].contains(error.errnoCode)
        // Bytes that are no TLS any more, or end without a goodbye; and a stream that somebody reset.
        case is NIOSSLError, is BoringSSLError, is NIOSSLCloseTimedOutError, is any NIOHTTP2Error: true
        default: false
        }
    }
}

extension HTTPResponse.Status {
    /// Never sent. In the log and in what is measured it stands for a request that nobody waited for, as with nginx.
    static let clientClosedRequest = Self(code: 499, reasonPhrase: "Client Closed Request")
}
