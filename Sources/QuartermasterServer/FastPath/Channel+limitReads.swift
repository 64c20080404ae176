import NIOCore

extension Channel {
    /// Has the socket read ``Limits/maximumReadBytes`` at a time. To be called on the channel's event loop.
    func limitReads() throws {
        let reads = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: Limits.maximumReadBytes)
        try syncOptions?.setOption(.recvAllocator, value: reads)
    }
}
