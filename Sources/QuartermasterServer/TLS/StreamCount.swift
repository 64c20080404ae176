import NIOCore

/// Closes an HTTP/2 connection that has had no stream open for too long, whatever other frames it sends.
///
/// A head that arrives a byte at a time does not count as a stream: until it is complete, nothing else of the client is
/// processed.
final class StreamCount: ChannelInboundHandler {
    typealias InboundIn = Any

    private var open = 0
    private var idle: TimeAmount
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?

    init(idle: TimeAmount) { self.idle = idle }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        watch()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        (timer, self.context) = (nil, nil)
    }

    func streamOpened() {
        open += 1
        timer?.cancel()
    }

    func streamClosed() {
        open -= 1
        watch()
    }

    /// Shortens the time when the framework asks the client to end the connection.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is ChannelShouldQuiesceEvent {
            idle = Limits.lingerTime
            watch()
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func watch() {
        guard open == 0, let context else { return }
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: idle) { context.close(promise: nil) }
    }
}
