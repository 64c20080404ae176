import CoreMetrics
import NIOCore

/// A handler of the listening channel: knows the open connections, limits their number, and ends them when the server
/// stops. Those above the maximum wait to be accepted.
final class AcceptedConnections: ChannelDuplexHandler {
    typealias InboundIn = any Channel
    typealias InboundOut = any Channel
    typealias OutboundIn = Never

    private let maximum: Int
    private let meter: Meter?
    private var open: [ObjectIdentifier: any Channel] = [:]
    /// The maximum number of connections that the next turn of the event loop accepts.
    private var acceptsPerTurn: UInt?
    /// Whether the next connection is accepted when one closes.
    private var isWaiting = false
    private var isStopping = false
    private var whenClosed: (() -> Void)?

    /// - Parameter meter: shows the number of open connections.
    init(maximum: Int, meter: Meter?) {
        self.maximum = maximum
        self.meter = meter
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let channel = unwrapInboundIn(data)
        open[ObjectIdentifier(channel)] = channel
        meter?.increment()
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        channel.closeFuture.hop(to: context.value.eventLoop).assumeIsolated().whenComplete { _ in
            self.hasClosed(channel, context.value)
        }
        if isStopping { quiesce(channel) }
        context.value.fireChannelRead(data)
    }

    private func hasClosed(_ channel: any Channel, _ context: ChannelHandlerContext) {
        open[ObjectIdentifier(channel)] = nil
        meter?.decrement()
        if isWaiting, open.count < maximum {
            isWaiting = false
            context.read()
        }
        endIfAllClosed()
    }

    func read(context: ChannelHandlerContext) {
        isWaiting = open.count >= maximum
        guard !isWaiting else { return }
        limitTurn(of: context.channel)
        context.read()
    }

    /// One turn of the event loop accepts no more connections than there is room for: each takes a file descriptor, and
    /// those above the maximum would take the ones that open downloads need.
    private func limitTurn(of listening: any Channel) {
        let most = min(Limits.acceptsPerTurn, UInt(clamping: maximum - open.count))
        guard most != acceptsPerTurn else { return }
        acceptsPerTurn = most
        // A channel without this option accepts one connection in a turn.
        try? listening.syncOptions?.setOption(.maxMessagesPerRead, value: most)
    }

    // MARK: Stopping

    /// Lets each connection end after what it is answering.
    ///
    /// - Parameter whenClosed: called when all have closed.
    func stop(_ whenClosed: @escaping () -> Void) {
        isStopping = true
        self.whenClosed = whenClosed
        for channel in open.values { quiesce(channel) }
        endIfAllClosed()
    }

    /// Closes all connections now.
    func closeAll() { for channel in open.values { channel.close(promise: nil) } }

    private func endIfAllClosed() {
        guard isStopping, open.isEmpty else { return }
        whenClosed?()
        whenClosed = nil
    }

    private func quiesce(_ channel: any Channel) {
        channel.eventLoop.execute { channel.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
    }
}
