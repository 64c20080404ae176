import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Lets a response that is written completely reach the socket before its connection is closed.
///
/// During shutdown the framework closes right after the last write, and the part of a download that a slow client has
/// not yet received would be lost.
final class DrainingCloseHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let time: TimeAmount
    /// Succeeds when the end of the last response has been handed to the socket.
    private var lastAnswer: EventLoopFuture<Void>?

    /// - Parameter time: how long a close waits for that.
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
        let deadline = lastAnswer.eventLoop.scheduleTask(in: time) { context.value.close(mode: .all, promise: nil) }
        lastAnswer.whenComplete { _ in
            deadline.cancel()
            context.value.close(mode: .all, promise: promise)
        }
    }
}
