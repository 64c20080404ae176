import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOHTTPTypes

/// Resets an HTTP/2 stream whose request or response exceeds its ``ConnectionLimits``, and holds back a request while
/// the client does not read the responses to others.
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
    /// The parts of a request that is held back.
    private var held: [InboundIn] = []
    private var holdEnd: Scheduled<Void>?
    private var isReadHeld = false
    private var context: ChannelHandlerContext?

    /// - Parameter connection: of the stream; by default, that whose channel is the parent of the stream's.
    init(_ limits: ConnectionLimits, in connection: StreamCount? = nil) {
        self.limits = limits
        self.connection = connection
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        state = ConnectionState(limits, at: context.eventLoop.now)
        if connection == nil {
            connection = try? context.channel.parent?.pipeline.syncOperations.handler(type: StreamCount.self)
        }
        connection?.streamOpened()
        watch(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        holdEnd?.cancel()
        connection?.streamClosed(self)
        (timer, holdEnd, connection, self.context) = (nil, nil, nil, nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        if case .head = part, let connection, connection.isFull { hold(in: connection, context) }
        if holdEnd != nil { held.append(part) } else { pass(part, context) }
    }

    private func pass(_ part: InboundIn, _ context: ChannelHandlerContext) {
        let now = context.eventLoop.now
        switch part {
        case .head: state?.passHead(at: now)
        case .body: state?.readBody(at: now)
        case .end:
            state?.readEnd(at: now)
            hasSentEarly = false
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    // MARK: Holding back

    private func hold(in connection: StreamCount, _ context: ChannelHandlerContext) {
        connection.wait(self)
        holdEnd = context.eventLoop.assumeIsolated().scheduleTask(in: UnsentBudget.maximumStall) {
            self.reset(context, with: .enhanceYourCalm)
        }
    }

    /// Passes the request on that was held back.
    func resume() {
        guard let context else { return }
        holdEnd?.cancel()
        holdEnd = nil
        for part in held { pass(part, context) }
        held = []
        context.fireChannelReadComplete()
        if isReadHeld {
            isReadHeld = false
            context.read()
        }
    }

    func read(context: ChannelHandlerContext) {
        if holdEnd == nil { context.read() } else { isReadHeld = true }
    }

    // MARK: Responses

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
            write(wrapOutboundOut(.head(head)), bytes: Self.headBytes, context, promise)
        case .body(let bytes): write(data, bytes: bytes.readableBytes, context, promise)
        case .end:
            state?.answerEnd(at: context.eventLoop.now)
            guard state?.isAnsweredEarly == true else { return context.write(data, promise: promise) }
            let sent = promise ?? context.eventLoop.makePromise()
            sent.futureResult.assumeIsolated().whenSuccess { self.hasSentEarly = self.state?.isReading == true }
            context.write(data, promise: sent)
        }
    }

    /// About what the fields of a response take.
    private static let headBytes = 512

    private func write(
        _ data: NIOAny, bytes: Int, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) {
        guard let connection else { return context.write(data, promise: promise) }
        connection.written(bytes)
        let sent = promise ?? context.eventLoop.makePromise()
        sent.futureResult.assumeIsolated().whenComplete { _ in connection.sent(bytes) }
        context.write(data, promise: sent)
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
        guard hasSentEarly else { return context.close(promise: promise) }
        reset(context, with: .noError, promise)
    }

    private func reset(
        _ context: ChannelHandlerContext, with code: NIOHTTP2.HTTP2ErrorCode, _ promise: EventLoopPromise<Void>? = nil
    ) {
        guard let connection = context.channel.parent,
            let stream = try? context.channel.syncOptions?.getOption(HTTP2StreamChannelOptions.streamID)
        else { return context.close(promise: promise) }
        if let promise { context.channel.closeFuture.cascade(to: promise) }
        // The framework closes the stream once more while it ends.
        guard !isReset else { return }
        isReset = true
        connection.writeAndFlush(HTTP2Frame(streamID: stream, payload: .rstStream(code)), promise: nil)
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
