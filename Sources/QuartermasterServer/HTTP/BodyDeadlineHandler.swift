import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Cuts a connection on which a request's body takes longer than any body may, also one that no route reads.
///
/// After an early answer (401, 404) the framework reads the rest of the body for as long as a byte drips now and then.
final class BodyDeadlineHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart

    private let time: TimeAmount
    private var deadline: Scheduled<Void>?

    init(within time: TimeAmount = Limits.bodyTime) { self.time = time }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head:
            let channel = context.channel
            deadline?.cancel()
            deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
        case .body: break
        case .end: deadline?.cancel()
        }
        context.fireChannelRead(data)
    }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        context.fireChannelInactive()
    }
}
