import HTTPTypes
import NIOCore
import NIOHTTP2
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
    /// Whether the response was sent to its end, and that of the request has not arrived.
    private var hasSentEarly = false
    private var isReset = false

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
        case .end:
            state?.readEnd(at: now)
            hasSentEarly = false
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
            guard state?.isAnsweredEarly == true else { return context.write(data, promise: promise) }
            let sent = promise ?? context.eventLoop.makePromise()
            sent.futureResult.assumeIsolated().whenSuccess { self.hasSentEarly = self.state?.isReading == true }
            context.write(data, promise: sent)
        }
    }

    /// Resets the stream a while after the output is closed, if the request has not ended: the end of the stream
    /// already says that no more of the response follows, and what comes meanwhile is discarded.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output else { return reset(context, promise) }
        promise?.succeed()
        timer?.cancel()
        timer = context.eventLoop.assumeIsolated().scheduleTask(in: Limits.lingerTime) { self.reset(context, nil) }
    }

    /// Ends the stream. A client that has its response is told not to discard it (RFC 9113 §8.1), which the framework's
    /// `CANCEL` does not say.
    private func reset(_ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?) {
        guard hasSentEarly, let connection = context.channel.parent,
            let stream = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        else { return context.close(promise: promise) }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        // The framework closes the stream once more while it ends.
        guard !isReset else { return }
        isReset = true
        connection.writeAndFlush(HTTP2Frame(streamID: stream, payload: .rstStream(.noError)), promise: nil)
    }

    private func watch(_ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        guard let next = state?.nextLook(at: now) else { return }
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: next) {
            if self.state?.isOverdue(at: context.eventLoop.now) == true {
                self.reset(context, nil)
            } else {
                self.watch(context)
            }
        }
    }
}
