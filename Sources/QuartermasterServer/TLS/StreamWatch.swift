import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Resets an HTTP/2 stream whose request or response exceeds its ``ConnectionLimits``.
final class StreamWatch: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private var state: ConnectionState?
    private var timer: Scheduled<Void>?
    private var connection: StreamCount?

    init(_ limits: ConnectionLimits) { self.limits = limits }

    func handlerAdded(context: ChannelHandlerContext) {
        state = ConnectionState(limits, at: context.eventLoop.now)
        connection = try? context.channel.parent?.pipeline.syncOperations.handler(type: StreamCount.self)
        connection?.streamOpened()
        watch(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        connection?.streamClosed()
        (timer, connection) = (nil, nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let now = context.eventLoop.now
        switch unwrapInboundIn(data) {
        case .head: state?.passHead(at: now)
        case .body: state?.readBody(at: now)
        case .end: state?.readEnd(at: now)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            let length = head.headerFields[.contentLength].flatMap { Int($0) } ?? 0
            state?.answerHead(length, at: context.eventLoop.now)
            timer?.cancel()
            watch(context)
            // RFC 9113 §8.2.2: HTTP/2 has no such field.
            head.headerFields[.connection] = nil
            // RFC 9110 §8.6: the length in a 304 is that of the content, which the framework does not know.
            if head.status == .notModified { head.headerFields[.contentLength] = nil }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end:
            state?.answerEnd(at: context.eventLoop.now)
            context.write(data, promise: promise)
        }
    }

    /// Ignores a close of the output, which would reset the stream, even after a response. The end of the stream says
    /// that nothing follows.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return context.close(mode: mode, promise: promise) }
        promise?.succeed()
    }

    private func watch(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        guard let next = state?.nextLook(at: now) else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) {
            if self.state?.isOverdue(at: context.eventLoop.now) == true {
                context.close(promise: nil)
            } else {
                self.watch(context)
            }
        }
    }
}
