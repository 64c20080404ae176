import NIOCore

extension Channel {
    /// Limits each read from the socket to ``Limits/maximumReadBytes``. Call it on the channel's event loop.
    func limitReads() throws {
        let reads = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: Limits.maximumReadBytes)
        try syncOptions?.setOption(.recvAllocator, value: reads)
    }
}
