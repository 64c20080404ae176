import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Lets an answer that is written whole reach the socket before its connection is closed.
///
/// While it shuts down, the framework closes right after the last write, and what a slow client has not taken yet of a
/// download would be lost.
final class DrainingCloseHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let time: TimeAmount
    /// Done when the last answer that ended has been handed to the socket.
    private var lastAnswer: EventLoopFuture<Void>?

    /// - Parameter time: how long a close waits for it.
    init(within time: TimeAmount = Limits.drainTime) { self.time = time }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        let promise = promise ?? context.eventLoop.makePromise()
        lastAnswer = promise.futureResult
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .all, let lastAnswer else { return context.close(mode: mode, promise: promise) }
        self.lastAnswer = nil
        let context = NIOLoopBound(context, eventLoop: context.eventLoop)
        let deadline = lastAnswer.eventLoop.scheduleTask(in: time) {
            context.value.close(mode: .all, promise: nil)
        }
        lastAnswer.whenComplete { _ in
            deadline.cancel()
            context.value.close(mode: .all, promise: promise)
        }
    }
}
