import NIOCore

/// Passes bytes on to the decoder until no more requests are read from the connection, and discards them from then on.
///
/// The decoder stops at a request that offers an upgrade, and at `CONNECT`, and would keep in memory all that comes
/// behind it.
final class InputGate: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var isClosed = false

    /// Discards all further bytes. They are read nevertheless: unread bytes would turn the connection's end into a
    /// reset, by which the client loses the response.
    func close() { isClosed = true }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isClosed else { return }
        context.fireChannelRead(data)
    }
}
