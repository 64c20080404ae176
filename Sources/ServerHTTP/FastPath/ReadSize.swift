import NIOCore

/// The maximum number of bytes that are read from a socket at a time.
///
/// As an outbound event it changes that of a connection. A stream of HTTP/2, which has no socket, ignores it.
struct ReadSize: Equatable, Sendable {
    let bytes: Int
    /// The size of the first read, since later ones adapt to what arrives.
    let first: Int

    static let usual = ReadSize(bytes: Limits.maximumReadBytes, first: 2_048)
    static let large = ReadSize(bytes: Limits.maximumLargeReadBytes, first: Limits.maximumLargeReadBytes)
}

extension Channel {
    /// Limits each read from the socket. Call it on the channel's event loop.
    func limitReads(to size: ReadSize = .usual) throws {
        let reads = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: size.first, maximum: size.bytes)
        try syncOptions?.setOption(.recvAllocator, value: reads)
    }
}
