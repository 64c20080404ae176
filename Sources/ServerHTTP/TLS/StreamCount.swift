import NIOCore

/// Counts the streams of an HTTP/2 connection, and the bytes of their responses that the client has not read.
///
/// Closes a connection that has had no stream open for too long, whatever other frames it sends. A head that arrives a
/// byte at a time does not count as a stream: until it is complete, nothing else of the client is processed.
///
/// The connection is always read, since the client's window updates come over it; while too much is unsent, further
/// streams wait.
final class StreamCount: ChannelInboundHandler {
    typealias InboundIn = Any

    private var open = 0
    private var idle: TimeAmount
    private var timer: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    private let unsent: UnsentBytes
    private var unsentBytes = 0
    private var progress = 0
    private var waiting: [StreamWatch] = []

    init(idle: TimeAmount, unsent: UnsentBytes) {
        self.idle = idle
        self.unsent = unsent
    }

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

    func streamClosed(_ stream: StreamWatch) {
        open -= 1
        waiting.removeAll { $0 === stream }
        watch()
    }

    // MARK: Responses

    /// Whether so much is unsent that a request waits.
    var isFull: Bool { unsentBytes >= Limits.unsentStreamBytes }

    /// Has the stream continue when less is unsent.
    func wait(_ stream: StreamWatch) { waiting.append(stream) }

    /// Records bytes that were given to the connection.
    func written(_ bytes: Int) {
        unsentBytes += bytes
        count()
    }

    /// Records bytes that the socket has accepted, or that no longer need to be sent.
    func sent(_ bytes: Int) {
        unsentBytes -= bytes
        progress += bytes
        if progress >= UnsentBudget.pieceBytes {
            progress = 0
            unsent.progress()
        }
        count()
        while !isFull, !waiting.isEmpty { waiting.removeFirst().resume() }
    }

    private func count() { unsent.count(unsentBytes > UnsentBudget.uncountedBytes ? unsentBytes : 0) }

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
