import NIOCore

/// A request that was decoded from a head, and the response that was prepared for it last. To be used on one event loop
/// only.
final class KnownRequest {
    /// The bytes of the head, in storage of their own.
    let head: ByteBuffer
    let request: FastRequest
    /// The client that sent it first; `nil` if it has no IP address.
    let address: IPAddress?
    /// Greater than that of every request that was sent earlier.
    var lastUse: UInt64
    /// The response, whose validity is checked before each use.
    var answer: PreparedAnswer?

    init(_ head: ByteBuffer, _ request: FastRequest, from address: IPAddress?, lastUse: UInt64) {
        self.head = head
        self.request = request
        self.address = address
        self.lastUse = lastUse
    }
}
