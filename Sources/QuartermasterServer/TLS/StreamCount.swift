import NIOCore

/// Closes an HTTP/2 connection that has had no request open for too long, whatever else it says.
///
/// A head that drips counts as none: while it is on its way, nothing else of the client comes through.
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

    /// The framework asks the client to end the connection; not for ever.
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
