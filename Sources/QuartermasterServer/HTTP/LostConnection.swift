import Foundation
import HTTPTypes
import NIOCore

extension IOError {
    /// The client is gone, as a phone without signal is. No file ever fails so, and what the store's connection does
    /// never comes here.
    var isLostConnection: Bool { [ECONNRESET, ECONNABORTED, EPIPE, ENOTCONN, ETIMEDOUT].contains(errnoCode) }
}

extension HTTPResponse.Status {
    /// Never sent. In the log and in what is measured it stands for a request that nobody waited for, as with nginx.
    static let clientClosedRequest = Self(code: 499, reasonPhrase: "Client Closed Request")
}
