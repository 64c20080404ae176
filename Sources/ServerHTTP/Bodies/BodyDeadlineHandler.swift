import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Closes a connection on which a request's body takes longer than any body may, even if no route reads it.
///
/// After an early response (401, 404) the framework reads the rest of the body for as long as a byte arrives now and
/// then.
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
